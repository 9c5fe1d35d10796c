import { isoTime } from '@svc/core';
import type { RunId, TriggerKey } from '@svc/records';
import { sql, type Transaction } from 'kysely';
import { RAN } from '../claims/ahead.ts';
import { columnsOf, ofKey } from '../claims/trigger-columns.ts';
import { releaseContents } from '../database/contents.ts';
import { laterOf } from '../database/dialect.ts';
import type { Tables } from '../database/schema.ts';
import { rememberPruned } from './pruned-slots.ts';
import { type PrunedEnd, rememberStreak } from './pruned-streak.ts';
import type { PrunedStep, PruningPlace, RetentionRule } from './retention-rule.ts';

type Tx = Transaction<Tables>;

const NOTHING = { runs: 0, chats: 0, messages: 0 } as const;

/**
 * Examines some runs of a trigger, and removes those that the rule does not keep, together with what belongs only to
 * them.
 */
export async function pruneRuns(
  tx: Tx,
  key: TriggerKey,
  rule: RetentionRule,
  { place, limit }: { readonly place: PruningPlace; readonly limit: number },
): Promise<PrunedStep> {
  const found = await candidates(tx, key, rule, place, limit);
  const last = found.at(-1);
  if (last === undefined) return { ...NOTHING, next: null };
  const next = found.length < limit ? null : { ...place, after: last.id };
  const needed = await stillNeeded(tx, key, found);
  const gone = found.filter(({ id }) => id !== place.failure && !needed.has(id));
  if (gone.length === 0) return { ...NOTHING, next };
  const removed = await removeTranscripts(tx, gone);
  const ids = gone.map(({ id }) => id);
  await tx.deleteFrom('run').where('id', 'in', ids).execute();
  await noteRemoved(tx, key, gone);
  await rememberStreak(tx, key, gone);
  return { runs: gone.length, ...removed, next };
}

interface Candidate extends PrunedEnd {
  readonly id: RunId;
  readonly slot: string | null;
  readonly claimedAt: string;
  readonly sessionId: string | null;
  readonly turnId: string | null;
  readonly ran: number;
}

/** Ids sort by their creation time, which is no later than the end of their runs. */
export function firstIdAt(ms: number): RunId {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function candidates(
  tx: Tx,
  key: TriggerKey,
  { since, now }: RetentionRule,
  { surplus, after }: PruningPlace,
  limit: number,
): Promise<Candidate[]> {
  const old = since === null ? '' : firstIdAt(since);
  const most = [surplus ?? '', old].sort().at(-1) ?? '';
  if (most === '') return [];
  const query = tx
    .selectFrom('run')
    .select(['id', 'scheduled_for as slot', 'claimed_at as claimedAt'])
    .select(['session_id as sessionId', 'turn_id as turnId', 'outcome', RAN.as('ran')])
    .where('id', '<=', most)
    .where('outcome', 'is not', null)
    .where(({ eb, or }) =>
      or([eb('id', '<=', surplus ?? ''), eb('ended_at', '<', isoTime(since ?? 0))]),
    )
    // Slots that ran while the clock was ahead are still to come.
    .where(({ eb, or }) =>
      or([eb('scheduled_until', 'is', null), eb('scheduled_until', '<=', isoTime(now))]),
    )
    // Alerts that are still pending need their runs.
    .where(sql<boolean>`(notified = 1 or not exists (select 1 from instance where key = 'alerts'))`)
    .$if(after !== null, (some) => some.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit);
  return ofKey(query, key).execute();
}

// Runs that pending events or running turns depend on.
async function stillNeeded(
  tx: Tx,
  key: TriggerKey,
  found: readonly Candidate[],
): Promise<ReadonlySet<RunId>> {
  const sessions = found.flatMap(({ sessionId }) => sessionId ?? []);
  const turns = found.flatMap(({ turnId }) => turnId ?? []);
  if (turns.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select parent_turn as id from turn where state <> 'ended' and parent_turn in (${sql.join(turns)})
    union all
    select session_id from event
    where dispatched_at is null and project = ${key.project} and session_id in (${sql.join(sessions)})
    union all
    select event.session_id from run join event on event.id = run.event_id
    where run.state <> 'ended' and run.project = ${key.project} and event.session_id in (${sql.join(sessions)})`.execute(
    tx,
  );
  const needed = new Set(rows.map(({ id }) => id));
  const held = found.filter(
    ({ sessionId, turnId }) => needed.has(sessionId ?? '') || needed.has(turnId ?? ''),
  );
  return new Set(held.map(({ id }) => id));
}

interface Removed {
  readonly chats: number;
  readonly messages: number;
}

// A chat that a person or client has written to is kept, including the messages of its trigger.
async function removeTranscripts(tx: Tx, gone: readonly Candidate[]): Promise<Removed> {
  const turnIds = gone.flatMap(({ turnId }) => turnId ?? []);
  if (turnIds.length === 0) return { chats: 0, messages: 0 };
  const turns = await tx
    .selectFrom('turn')
    .innerJoin('chat', 'chat.session_id', 'turn.session_id')
    .select(['turn.nr', 'chat.nr as chat'])
    .where('turn.id', 'in', turnIds)
    .where('chat.origin', '=', 'trigger')
    .where('chat.is_spoken_in', '=', 0)
    .execute();
  if (turns.length === 0) return { chats: 0, messages: 0 };
  const nrs = turns.map(({ nr }) => nr);
  const chats = [...new Set(turns.map(({ chat }) => chat))];
  const said = await tx
    .deleteFrom('message_ref')
    .where('turn', 'in', nrs)
    .where('chat', 'in', chats)
    .returning(['chat', 'content'])
    .execute();
  const texts = [
    ...said.map(({ content }) => content),
    ...(await removeTurns(tx, nrs)),
    ...(await removeChats(tx, chats)),
  ];
  await releaseContents(tx, texts);
  const deleted = await shortenChats(tx, chats, said);
  return { chats: deleted, messages: said.length };
}

// A copy of the chat has messages of these turns, ordered by turn.
async function removeTurns(tx: Tx, nrs: readonly number[]): Promise<(number | null)[]> {
  const rows = await tx
    .deleteFrom('turn')
    .where('nr', 'in', nrs)
    .where(sql<boolean>`not exists (select 1 from message_ref where message_ref.turn = turn.nr)`)
    .returning(['prompt', 'context', 'capability'])
    .execute();
  return rows.flatMap(({ prompt, context, capability }) => [prompt, context, capability]);
}

async function removeChats(tx: Tx, nrs: readonly number[]): Promise<number[]> {
  const rows = await tx
    .deleteFrom('chat')
    .where('nr', 'in', nrs)
    .where(sql<boolean>`not exists (select 1 from message_ref where message_ref.chat = chat.nr)`)
    .where(
      sql<boolean>`not exists (select 1 from trigger_state as known
        where known.project = chat.project and known.owned_session = chat.session_id)`,
    )
    .returning('capability')
    .execute();
  return rows.map(({ capability }) => capability);
}

/** Records how many messages the remaining chats lost; returns how many chats remain. */
async function shortenChats(
  tx: Tx,
  nrs: readonly number[],
  said: readonly { readonly chat: number }[],
): Promise<number> {
  const left = await tx.selectFrom('chat').select('nr').where('nr', 'in', nrs).execute();
  for (const { nr } of left) {
    const count = said.filter(({ chat }) => chat === nr).length;
    await tx
      .updateTable('chat')
      // The last instructions may be among the removed messages, so they are sent again.
      .set((eb) => ({ pruned_count: eb('pruned_count', '+', count), instructions_hash: null }))
      .where('nr', '=', nr)
      .execute();
  }
  return nrs.length - left.length;
}

async function noteRemoved(tx: Tx, key: TriggerKey, gone: readonly Candidate[]): Promise<void> {
  // Slots that did not run may safely occur again.
  const slots = gone.flatMap(({ slot, ran }) =>
    slot !== null && ran === 1 ? [{ first: slot, last: slot }] : [],
  );
  await rememberPruned(tx, key, slots);
  const until =
    gone
      .map(({ claimedAt }) => claimedAt)
      .sort()
      .at(-1) ?? '';
  const ids = gone.map(({ id }) => id);
  const newest = [...ids, ...gone.flatMap(({ sessionId }) => sessionId ?? [])].sort().at(-1) ?? '';
  await tx
    .insertInto('trigger_state')
    .values({ ...columnsOf(key), pruned_runs: gone.length, pruned_until: until, pruned_id: newest })
    .onConflict((conflict) =>
      conflict.columns(['project', 'source', 'name']).doUpdateSet({
        pruned_runs: sql<number>`trigger_state.pruned_runs + ${gone.length}`,
        pruned_until: laterOf('trigger_state.pruned_until', sql`${until}`),
        pruned_id: laterOf('trigger_state.pruned_id', sql`${newest}`),
        last_run_id: sql<
          string | null
        >`case when trigger_state.last_run_id in (${sql.join(ids)}) then null else trigger_state.last_run_id end`,
      }),
    )
    .execute();
}
