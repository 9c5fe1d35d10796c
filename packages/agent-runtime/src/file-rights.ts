import type { Capability } from '@svc/records';

/** Which places of the project folder a turn's file tools may write. */
export interface FileRights {
  /**
   * Why a place may not be written, as one sentence; null where it may.
   *
   * @param place Segments of the place below the project folder, with links resolved.
   */
  refusalToWrite(place: readonly string[]): string | null;
}

const NOWHERE: ReadonlySet<string> = new Set(['.git', '.claude']);

/**
 * The write rights that follow from a capability: no turn writes `project.yaml`, nor anything called `.git` or
 * `.claude` at any depth or anything in it; `.svc/` is for the keeper. Names are compared without regard to case and
 * invisible characters, as some file systems do.
 */
export function fileRights(capability: Capability): FileRights {
  return {
    refusalToWrite(place) {
      const names = place.map(folded);
      const closed = names.find((name) => NOWHERE.has(name));
      if (closed !== undefined) return `File tools may not write in ${closed}/.`;
      if (names.length === 1 && names[0] === 'project.yaml') {
        return 'File tools may not write project.yaml.';
      }
      if (names[0] === '.svc' && capability.runsAs !== 'keeper') {
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
