import type { Clock } from '@svc/core';
import type { Client } from 'pg';

/** A write transaction on a server. */
export interface ServerTransaction {
  /** Its id on the server. */
  readonly id: string;
  /** Identifies the period in which transaction ids are unique, see `EPOCH`. */
  readonly epoch: string;
}

/** A column with the id of the transaction, as text. */
export const ID = 'pg_current_xact_id()::text as id';

/**
 * A column of `pg_stat_wal`, as text. A server that lost its last commits in a crash assigns their ids again to other
 * transactions. The reset time of its statistics changes with every crash, and so reveals this.
 */
export const EPOCH = 'extract(epoch from stats_reset)::text as epoch';

/**
 * A commit that waits for the disk would hold the lock that long, so commits do not wait. Instead, the writer waits for
 * a later commit, which comes after it in the log and shares its disk write with others. That commit has to write
 * something, because a transaction without writes returns at once.
 */
export const FLUSH = `select pg_logical_emit_message(true, 'svc', '')`;

const ASK = `select pg_xact_status($1::xid8) as status, ${EPOCH} from pg_stat_wal`;
// The error of the server for an id that it lost and has not assigned again.
const NOT_GIVEN_YET = '22023';
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 2000;

type Fate = 'on disk' | 'lost' | 'open';

/** Determines the outcome of transactions whose commit got no response. */
export class Inquiry {
  private readonly createClient: () => Client;
  private readonly clock: Clock;
  private readonly pauses = new Set<() => void>();
  private isClosing = false;

  /**
   * @param createClient creates a separate connection, because whatever broke the other one may have broken those of
   * the pool too
   */
  constructor(createClient: () => Client, clock: Clock) {
    this.createClient = createClient;
    this.clock = clock;
  }

  /**
   * Whether a transaction is committed and on disk. Asks until the server responds and knows. Also false if it can no
   * longer be determined, and after `close`.
   */
  async isOnDisk(transaction: ServerTransaction): Promise<boolean> {
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LAST_PAUSE_MS)) {
      const fate = await this.ask(transaction);
      if (fate !== 'open') return fate === 'on disk';
      await this.pause(ms);
      if (this.isClosing) return false;
    }
  }

  /** Inquiries without an answer so far are not repeated. */
  close(): void {
    this.isClosing = true;
    for (const end of this.pauses) end();
  }

  private async ask({ id, epoch }: ServerTransaction): Promise<Fate> {
    const client = this.createClient();
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<Record<'status' | 'epoch', string | null>>(ASK, [id]);
      const [row] = rows;
      if (row?.epoch !== epoch) return 'lost';
      if (row.status === 'in progress') return 'open';
      if (row.status !== 'committed') return 'lost';
      await client.query(FLUSH);
      return 'on disk';
    } catch (error) {
      return (error as { readonly code?: unknown } | null)?.code === NOT_GIVEN_YET
        ? 'lost'
        : 'open';
    } finally {
      client.end().catch(() => {});
    }
  }

  private async pause(ms: number): Promise<void> {
    if (this.isClosing) return;
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimeout(() => end(), ms);
      const end = (): void => {
        this.clock.clearTimeout(timer);
        this.pauses.delete(end);
        resolve();
      };
      this.pauses.add(end);
    });
  }
}
