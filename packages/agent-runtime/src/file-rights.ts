import type { Capability } from '@svc/records';

/** Which places of the project folder a turn's file tools may write. */
export interface FileRights {
  /** Whom they are for. */
  readonly runsAs: Capability['runsAs'];
  /**
   * Why a place may not be written, as one sentence; null where it may.
   *
   * @param place Segments of the place below the project folder, with links resolved.
   */
  refusalToWrite(place: readonly string[]): string | null;
}

const NOWHERE: ReadonlySet<string> = new Set(['.git', '.claude']);
// The second is where the service lays a new version ready before it takes the place of the first.
const PROJECT_FILES: ReadonlySet<string> = new Set(['project.yaml', '.project.yaml.svc-new']);

/**
 * The write rights that follow from a capability: no turn writes `project.yaml`, nor anything called `.git` or
 * `.claude` at any depth or anything in it; `.svc/` is for the keeper. Names are compared without regard to case and
 * invisible characters, as some file systems do.
 */
export function fileRights({ runsAs }: Pick<Capability, 'runsAs'>): FileRights {
  return {
    runsAs,
    refusalToWrite(place) {
      const names = place.map(folded);
      const closed = names.find((name) => NOWHERE.has(name));
      if (closed !== undefined) return `File tools may not write in ${closed}/.`;
      if (names.length === 1 && PROJECT_FILES.has(names[0] ?? '')) {
        return `File tools may not write ${names[0]}.`;
      }
      if (names[0] === '.svc' && runsAs !== 'keeper') {
        return 'Only the keeper may write in .svc/.';
      }
      return null;
    },
  };
}

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
}
