/** Most bytes of a file that the file tools read, and that they write. */
export const MAX_FILE_BYTES: number = 10 * 1024 * 1024;

/** How much one turn may write with file tools, its child turns included. */
export interface WriteLimits {
  /** Most files and folders that it makes or changes, each counted once. Default 10,000. */
  readonly filesPerTurn: number;
  /** Most bytes that it writes, each write counted. Default 1 GiB. */
  readonly bytesPerTurn: number;
}

/** A write that is about to happen. */
interface PlannedWrite {
  /** Path below the project folder, links resolved. */
  readonly place: string;
  readonly bytes: number;
  /** Missing folders that are made for it. */
  readonly folders: number;
}

/** What a turn may still write. */
export interface WriteBudget {
  /** Takes a write into account; or says in one sentence why it may not happen, and counts nothing. */
  refusalOf(write: PlannedWrite): string | null;
}

const DEFAULTS: WriteLimits = { filesPerTurn: 10_000, bytesPerTurn: 1024 ** 3 };

/** Makes the budget of one turn. */
export function createWriteBudget(limits: Partial<WriteLimits> = {}): WriteBudget {
  const { filesPerTurn, bytesPerTurn } = { ...DEFAULTS, ...limits };
  const places = new Set<string>();
  let folders = 0;
  let bytes = 0;
  const fault = (write: PlannedWrite): string | null => {
    if (write.bytes > MAX_FILE_BYTES) return tooLarge(write.place);
    const more = write.folders + (places.has(write.place) ? 0 : 1);
    if (places.size + folders + more > filesPerTurn) {
      return `One turn may make or change ${filesPerTurn} files and folders with file tools (limits.filesPerTurn): with ${write.place} it would be more.`;
    }
    const left = bytesPerTurn - bytes;
    return write.bytes <= left
      ? null
      : `One turn may write ${bytesPerTurn} bytes with file tools (limits.bytesPerTurn): ${left} are left, and ${write.place} has ${write.bytes}.`;
  };
  return {
    refusalOf(write) {
      const refusal = fault(write);
      if (refusal !== null) return refusal;
      places.add(write.place);
      folders += write.folders;
      bytes += write.bytes;
      return null;
    },
  };
}

/** What is said of a file that would be too large. */
export function tooLarge(path: string): string {
  return `${path} would be larger than 10 MiB, the most that a file tool writes.`;
}
