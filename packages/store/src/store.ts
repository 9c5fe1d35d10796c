import { type Clock, isoTime, newId } from '@svc/core';
import { Kysely } from 'kysely';
import { openSqlite } from './adapters/sqlite.ts';
import { type Chats, createChats } from './chats.ts';
import { type Claims, createClaims } from './claims.ts';
import { migrate } from './migrations.ts';
import { createRuns, type Runs } from './runs.ts';
import type { Tables } from './schema.ts';
import { createTriggerMemory, type TriggerMemory } from './triggers.ts';
import { createTurns, type Turns } from './turns.ts';

/** Everything that must survive a restart. */
export interface Store {
  readonly claims: Claims;
  readonly runs: Runs;
  readonly chats: Chats;
  readonly turns: Turns;
  readonly triggers: TriggerMemory;
  /** Id of this process among those that have used the database. */
  readonly nodeId: string;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the embedded database, creating or upgrading it as needed, for this process alone.
 *
 * @param deps.clock source of the time at which this process is noted
 * @param options.file path of the database file; its folder must exist
 * @param options.version version of the program, noted with the process
 * @throws StoreError `in_use`, `newer_schema`, `unreadable`
 */
export async function openStore(
  deps: { readonly clock: Clock },
  options: { readonly file: string; readonly version: string },
): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: openSqlite(options.file) });
  try {
    await migrate(db);
    const nodeId = newId();
    const at = isoTime(deps.clock.now());
    const node = { id: nodeId, started_at: at, heartbeat_at: at, version: options.version };
    await db.insertInto('node').values(node).execute();
    return storeOver(db, nodeId);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function storeOver(db: Kysely<Tables>, nodeId: string): Store {
  return {
    claims: createClaims(db),
    runs: createRuns(db),
    chats: createChats(db),
    turns: createTurns(db),
    triggers: createTriggerMemory(db),
    nodeId,
    async ping() {
      await db.selectFrom('instance').select('key').limit(1).execute();
    },
    close: () => db.destroy(),
  };
}
