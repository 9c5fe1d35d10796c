import type { Clock } from '@svc/core';
import type { Client } from 'pg';

/** A transaction of a server that writes. */
export interface ServerTransaction {
  /** Its number there. */
  readonly id: string;
  /** Tells since when the server has given numbers to transactions, see `EPOCH`. */
  readonly epoch: string;
}

/** A column: the number of a transaction, as text. */
export const ID = 'pg_current_xact_id()::text as id';

/**
 * A column of `pg_stat_wal`, as text. A server that has lost the last commits in a crash gives the numbers of theirs once more,
 * to others. Nothing tells that as plainly as its statistics, which begin anew with each crash.
 */
export const EPOCH = 'extract(epoch from stats_reset)::text as epoch';

/**
 * A commit that waits for the disk would keep the lock for as long. So it does not; whoever has written waits for another
 * one, which is later in the log and shares its way to the disk with others. It has to write something: a transaction that
 * has not is over at once.
 */
export const FLUSH = `select pg_logical_emit_message(true, 'svc', '')`;

const ASK = `select pg_xact_status($1::xid8) as status, ${EPOCH} from pg_stat_wal`;
// So the server answers where it has lost a transaction and not given its number to another yet.
const NOT_GIVEN_YET = '22023';
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 2000;

type Fate = 'on disk' | 'lost' | 'open';

/** Finds out what has become of transactions whose commit was not answered. */
export class Inquiry {
  private readonly createClient: () => Client;
  private readonly clock: Clock;
  private readonly pauses = new Set<() => void>();
  private isClosing = false;

  /** @param createClient makes a connection of its own: whatever broke the other one may have broken those that are kept */
  constructor(createClient: () => Client, clock: Clock) {
    this.createClient = createClient;
    this.clock = clock;
  }

  /**
   * Whether a transaction is committed, and on the disk. Asks for as long as the server does not answer, or does not know
   * yet. False too where it cannot be found out any more, and once `close` was called.
   */
  async isOnDisk(transaction: ServerTransaction): Promise<boolean> {
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(2 * ms, LAST_PAUSE_MS)) {
      const fate = await this.ask(transaction);
      if (fate !== 'open') return fate === 'on disk';
      await this.pause(ms);
      if (this.isClosing) return false;
    }
  }

  /** What was not answered by now is not asked again. */
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
