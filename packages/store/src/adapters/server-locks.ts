import type { Pool, PoolClient } from 'pg';
import { StoreError } from '../errors.ts';
import type { HeldName, OpenLocks } from '../locks.ts';
import type { ServerFaults } from './server-driver.ts';
import type { Sockets } from './server-sockets.ts';

// Any number will do that nobody else locks with in this database.
const SPACE = 730_717;
const WAIT = '20s';
const TIMED_OUT = '55P03';
// A machine that is gone without a word keeps its locks for seconds, not for the two hours of a system's own settings.
const SETTINGS = `set lock_timeout = '${WAIT}'; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3`;

/**
 * Locks of a PostgreSQL server, each held by a connection of its own: they end with it. Names that fall on the same number
 * exclude each other too, which costs them a wait.
 */
export function createServerLocks(pool: Pool, faults: ServerFaults, sockets: Sockets): OpenLocks {
  return {
    async take(name) {
      const client = await pool.connect().catch((error: unknown) => {
        throw faults.told(error, true);
      });
      try {
        await client.query(SETTINGS);
        await client.query('select pg_advisory_lock($1, hashtext($2))', [SPACE, name]);
      } catch (error) {
        // The server may still be waiting for it.
        client.release(true);
        throw isTimedOut(error) ? heldTooLong(name, error) : faults.told(error, false);
      }
      return heldBy(client);
    },
    close: () => sockets.close(() => pool.end()),
  };
}

function heldBy(client: PoolClient): HeldName {
  let isHeld = true;
  const lose = (): void => {
    isHeld = false;
  };
  client.once('error', lose);
  client.once('end', lose);
  return {
    get isHeld() {
      return isHeld;
    },
    async release() {
      client.off('error', lose);
      client.off('end', lose);
      const wasHeld = isHeld;
      isHeld = false;
      // With the connection everything goes that it has locked and set.
      client.release(!wasHeld || !(await isUnlocked(client)));
    },
  };
}

async function isUnlocked(client: PoolClient): Promise<boolean> {
  return client.query('select pg_advisory_unlock_all()').then(
    () => true,
    () => false,
  );
}

function isTimedOut(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === TIMED_OUT;
}

function heldTooLong(name: string, cause: unknown): StoreError {
  const message = `Another server has been busy with ${name} for longer than ${WAIT}: try again.`;
  return new StoreError('unavailable', message, { cause });
}
