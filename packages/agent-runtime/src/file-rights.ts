import type { Capability } from '@svc/records';

/** Which paths in the project folder the file tools of a turn may write. */
export interface FileRights {
  /** Who has these rights. */
  readonly runsAs: Capability['runsAs'];
  /**
   * Returns one sentence on why a path must not be written, or null if it may.
   *
   * @param place Path segments relative to the project folder, with links resolved.
   */
  refusalToWrite(place: readonly string[]): string | null;
}

const NOWHERE: ReadonlySet<string> = new Set(['.git', '.claude']);
// The service writes a new version to the second file before it renames it to the first.
const PROJECT_FILES: ReadonlySet<string> = new Set(['project.yaml', '.project.yaml.svc-new']);

/**
 * Derives the write rights of a capability. No turn may write `project.yaml`, nor `.git` or `.claude` at any depth, nor
 * anything inside them. Only the keeper may write to `.svc/`. Names are compared ignoring case and invisible
 * characters, as some file systems do.
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
