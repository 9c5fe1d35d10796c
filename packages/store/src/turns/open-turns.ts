import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** Queued or running turns. The first condition makes the index of unfinished turns apply. */
export function openTurns(
  db: Kysely<Tables>,
  state: 'queued' | 'running',
): SelectQueryBuilder<Tables, 'turn', object> {
  return db
    .selectFrom('turn')
    .where('turn.state', '<>', sql.lit('ended'))
    .where('turn.state', '=', state);
}
