import type { Socket } from 'node:net';

/** Connections to one host and port. */
export interface ReachedHost {
  readonly host: string;
  readonly port: number;
  /** How many connections were opened. */
  readonly count: number;
  /** Bytes sent to the host so far, with protocol heads; absent if no connection was observed. */
  readonly sent?: number;
  /** Bytes received from the host so far, with protocol heads; absent if no connection was observed. */
  readonly received?: number;
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
  /** How many connections to further hosts there were; absent if there were none. */
  readonly more?: { readonly reached: number; readonly refused: number };
}

/** Counts connections by host and port. */
export interface ConnectionCounter {
  /**
   * Counts a connection.
   *
   * @param reason Why it was refused, one line; null if it was opened.
   * @param socket The open connection, to count its bytes.
   */
  note(host: string, port: number, reason: string | null, socket?: Socket): void;
  record(): ConnectionRecord;
}

const MAX_HOSTS = 100;

/** Creates a counter without connections. */
export function createConnectionCounter(): ConnectionCounter {
  const reached = createTable((host, port) => ({
    host,
    port,
    count: 0,
    bytes: createByteCounter(),
  }));
  const refused = createTable((host, port) => ({ host, port, count: 0, reason: '' }));
  return {
    note(host, port, reason, socket) {
      if (reason !== null) {
        const entry = refused.count(host, port);
        if (entry !== null) entry.reason = reason;
      } else {
        const entry = reached.count(host, port);
        if (socket !== undefined) entry?.bytes.add(socket);
      }
    },
    record() {
      const more = { reached: reached.more, refused: refused.more };
      return {
        reached: reached.sorted().map(({ bytes, ...entry }) => ({ ...entry, ...bytes.total() })),
        refused: refused.sorted().map((entry) => ({ ...entry })),
        ...(more.reached + more.refused > 0 ? { more } : {}),
      };
    },
  };
}

interface Entry {
  readonly host: string;
  readonly port: number;
  count: number;
}

interface Table<T> {
  /** Counts a connection and returns its entry; null if there are too many. */
  count(host: string, port: number): T | null;
  sorted(): readonly T[];
  /** How many connections have no entry. */
  readonly more: number;
}

function createTable<T extends Entry>(create: (host: string, port: number) => T): Table<T> {
  const entries = new Map<string, T>();
  let more = 0;
  return {
    count(host, port) {
      const key = `${host} ${port}`;
      const entry = entries.get(key) ?? (entries.size < MAX_HOSTS ? create(host, port) : null);
      if (entry === null) {
        more += 1;
        return null;
      }
      entry.count += 1;
      entries.set(key, entry);
      return entry;
    },
    sorted: () =>
      [...entries.values()].sort((a, b) =>
        a.host === b.host ? a.port - b.port : a.host < b.host ? -1 : 1,
      ),
    get more() {
      return more;
    },
  };
}

interface Bytes {
  readonly sent: number;
  readonly received: number;
}

interface ByteCounter {
  add(socket: Socket): void;
  /** Null if no connection was added. */
  total(): Bytes | null;
}

function createByteCounter(): ByteCounter {
  const open = new Set<Socket>();
  let closed: Bytes | null = null;
  return {
    add(socket) {
      closed ??= { sent: 0, received: 0 };
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
        closed = sum(closed, socket);
      });
    },
    total: () => [...open].reduce(sum, closed),
  };
}

function sum(before: Bytes | null, { bytesWritten, bytesRead }: Socket): Bytes {
  return {
    sent: (before?.sent ?? 0) + bytesWritten,
    received: (before?.received ?? 0) + bytesRead,
  };
}
