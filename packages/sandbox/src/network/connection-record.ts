/** Connections to one host and port. */
export interface ReachedHost {
  readonly host: string;
  readonly port: number;
  /** How many connections were opened. */
  readonly count: number;
}

/** Refused connections to one host and port. */
export interface RefusedHost {
  readonly host: string;
  readonly port: number;
  /** How many connections were refused. */
  readonly count: number;
  /** Why the last one was refused, one line. */
  readonly reason: string;
}

/** Which hosts were connected to, and which were refused. Sorted by host and port, at most 100 of each. */
export interface ConnectionRecord {
  readonly reached: readonly ReachedHost[];
  readonly refused: readonly RefusedHost[];
}

/** Counts connections by host and port. */
export interface ConnectionCounter {
  /**
   * Counts a connection. Hosts after the first 100 are not counted.
   *
   * @param reason Why it was refused, one line; null if it was opened.
   */
  note(host: string, port: number, reason: string | null): void;
  record(): ConnectionRecord;
}

const MAX_HOSTS = 100;

/** Creates a counter without connections. */
export function createConnectionCounter(): ConnectionCounter {
  const reached = new Map<string, ReachedHost>();
  const refused = new Map<string, RefusedHost>();
  return {
    note(host, port, reason) {
      if (reason === null) count(reached, host, port, {});
      else count(refused, host, port, { reason });
    },
    record: () => ({ reached: sorted(reached), refused: sorted(refused) }),
  };
}

function count<T extends ReachedHost>(
  all: Map<string, T>,
  host: string,
  port: number,
  rest: Omit<T, keyof ReachedHost>,
): void {
  const key = `${host} ${port}`;
  const before = all.get(key);
  if (before === undefined && all.size >= MAX_HOSTS) return;
  all.set(key, { ...rest, host, port, count: (before?.count ?? 0) + 1 } as T);
}

function sorted<T extends ReachedHost>(all: ReadonlyMap<string, T>): readonly T[] {
  return [...all.values()].sort((a, b) =>
    a.host === b.host ? a.port - b.port : a.host < b.host ? -1 : 1,
  );
}
