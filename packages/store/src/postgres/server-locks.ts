import { type Clock, createSemaphore, type TimerHandle } from '@svc/core';
import type { Pool, PoolClient } from 'pg';
import type { HeldName, OpenLocks } from '../cluster/locks.ts';
import { StoreError } from '../errors.ts';
import type { ServerFaults } from './server-driver.ts';
import type { Sockets } from './server-sockets.ts';

// Any number that no other software uses for locks in this database.
const SPACE = 730_717;
const WAIT = '20s';
const TIMED_OUT = '55P03';
// A machine that disappears holds its locks for seconds instead of the two hours of the system default. The same
// applies to a suspended process, whose machine still acknowledges packets.
const SETTINGS = `set lock_timeout = '${WAIT}'; set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2;
  set tcp_keepalives_count = 3; set idle_session_timeout = '20s'`;
const HERE_MS = 5000;
const DONE = 'select pg_advisory_unlock_all(); set idle_session_timeout = 0';

/**
 * Locks of a PostgreSQL server. Each is held by a connection of its own and ends with it. Names with the same hash
 * exclude each other too, which only makes them wait.
 */
export function createServerLocks({ pool, most, faults, sockets, clock }: LockParts): OpenLocks {
  const places = createSemaphore(most);
  const connect = async (): Promise<PoolClient> => {
    try {
      faults.throwIfUnreachable();
      return await pool.connect();
    } catch (error) {
      places.release();
      throw error instanceof StoreError ? error : faults.mapped(error, true);
    }
  };
  return {
    async take(name) {
      // Waiting for a free connection counts as a connection failure here.
      await places.acquire();
      const client = await connect();
      try {
        await client.query(SETTINGS);
        await client.query('select pg_advisory_lock($1, hashtext($2))', [SPACE, name]);
      } catch (error) {
        // The server may still be waiting for the lock.
        client.release(true);
        places.release();
        throw isTimedOut(error) ? heldTooLong(name, error) : faults.mapped(error, false);
      }
      return heldBy(client, clock, () => places.release());
    },
    close: () => sockets.close(() => pool.end()),
  };
}

/** Dependencies of the locks. */
export interface LockParts {
  readonly pool: Pool;
  /** Maximum number of connections of the pool. */
  readonly most: number;
  readonly faults: ServerFaults;
  readonly sockets: Sockets;
  readonly clock: Clock;
}

function heldBy(client: PoolClient, clock: Clock, onDone: () => void): HeldName {
  let isHeld = true;
  const lose = (): void => {
    isHeld = false;
  };
  const stay = (): TimerHandle =>
    clock.setTimeout(() => {
      client.query('select 1').catch(lose);
      if (isHeld) timer = stay();
    }, HERE_MS);
  let timer = stay();
  client.once('error', lose);
  client.once('end', lose);
  return {
    get isHeld() {
      return isHeld;
    },
    async release() {
      client.off('error', lose);
      client.off('end', lose);
      clock.clearTimeout(timer);
      const wasHeld = isHeld;
      isHeld = false;
      // Closing the connection releases all of its locks and settings.
      client.release(!wasHeld || !(await isUnlocked(client)));
      onDone();
    },
  };
}

async function isUnlocked(client: PoolClient): Promise<boolean> {
  return client.query(DONE).then(
    () => true,
    () => false,
  );
}

function isTimedOut(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === TIMED_OUT;
}

function heldTooLong(name: string, cause: unknown): StoreError {
  const message = `Another server has held the lock on ${name} for longer than ${WAIT}. Try again.`;
  return new StoreError('unavailable', message, { cause });
}
