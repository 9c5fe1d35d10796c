import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** The turns that wait, or those that run. The first condition lets the index of unfinished turns serve. */
export function openTurns(
  db: Kysely<Tables>,
  state: 'queued' | 'running',
): SelectQueryBuilder<Tables, 'turn', object> {
  return db
    .selectFrom('turn')
    .where('turn.state', '<>', sql.lit('ended'))
    .where('turn.state', '=', state);
}
