import { isoTime, localDay } from '@svc/core';
import type { NewMessage, RunId, SessionId, TriggerKey, TurnId } from '@svc/records';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { forkChat, insertChat, type NewChat } from './chat-writes.ts';
import { keepText, releaseContents } from './contents.ts';
import { countFire } from './daily-fires.ts';
import { isOfEvent, raiseTurnEnded } from './event-writes.ts';
import { countEnd } from './failure-count.ts';
import { appendMessages } from './messages.ts';
import { countOutcome } from './outcome-days.ts';
import { newRunRow, rememberRun } from './runs.ts';
import type { Tables } from './schema.ts';
import type { EndedTurn, TurnEnding, TurnOpening } from './turn.ts';
import { addUsage } from './usage.ts';

/** Writes everything that begins a turn; false when its claimed run has ended meanwhile. */
export async function openTurn(tx: Transaction<Tables>, opening: TurnOpening): Promise<boolean> {
  const at = isoTime(opening.at);
  const run = await openRun(tx, opening);
  if (run === 'gone') return false;
  const runId = run?.id ?? null;
  if (run !== null && opening.daily !== undefined) await countFire(tx, run.key, opening.daily);
  const { parentTurn } = opening;
  const isByEvent =
    run?.cause === 'event' || (parentTurn !== null && (await isOfEvent(tx, parentTurn)));
  if (opening.chat !== null) await openChat(tx, opening.chat, at);
  else if (opening.run !== null) await renewChat(tx, opening);
  else await noteWords(tx, opening.sessionId);
  await tx
    .insertInto('turn')
    .values({
      id: opening.turnId,
      session_id: opening.sessionId,
      run_id: runId,
      project: opening.project,
      ...(await contentsOf(tx, opening)),
      depth: opening.depth,
      spawn_limit: opening.capability.maxSpawnDepth,
      parent_turn: parentTurn,
      of_event: isByEvent ? 1 : 0,
      timeout_ms: opening.timeoutMs,
      state: 'queued',
      queued_at: at,
      started_at: null,
      ended_at: null,
      deadline_at: null,
      owner_node: null,
      cancel_requested_at: null,
      cancel_by: null,
      outcome: null,
      reason: null,
    })
    .execute();
  await appendMessages(tx, {
    sessionId: opening.sessionId,
    turnId: opening.turnId,
    messages: opening.messages,
    at,
  });
  if (opening.owner !== null) await setOwner(tx, opening.owner, opening.sessionId);
  return true;
}

// A trigger that goes on in its chat may have been changed since: what the chat may do, and its model, follow it.
async function renewChat(
  tx: Transaction<Tables>,
  { sessionId, capability, model }: TurnOpening,
): Promise<void> {
  const before = await tx
    .selectFrom('chat')
    .select('capability')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (before === undefined) return;
  await tx
    .updateTable('chat')
    .set({ capability: await keepText(tx, 'capability', JSON.stringify(capability)) })
    .$if(model !== undefined, (query) => query.set({ model: model ?? null }))
    .where('session_id', '=', sessionId)
    .execute();
  await releaseContents(tx, [before.capability]);
}

// What people and agents have said is not removed with the runs of a trigger.
async function noteWords(tx: Transaction<Tables>, sessionId: SessionId): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ is_spoken_in: 1 })
    .where('session_id', '=', sessionId)
    .where('is_spoken_in', '=', 0)
    .execute();
}

async function contentsOf(tx: Transaction<Tables>, opening: TurnOpening) {
  const { prompt, context = null, capability } = opening;
  return {
    prompt: await keepText(tx, 'prompt', prompt),
    context: context === null ? null : await keepText(tx, 'context', JSON.stringify(context)),
    capability: await keepText(tx, 'capability', JSON.stringify(capability)),
  };
}

// A chat that is a copy begins with the messages of the chat that it was copied from.
async function openChat(tx: Transaction<Tables>, chat: NewChat, at: string): Promise<void> {
  if (chat.forkedFrom === null) await insertChat(tx, chat, at);
  else await forkChat(tx, chat.forkedFrom, chat, at);
}

interface OpenedRun {
  readonly id: RunId;
  readonly key: TriggerKey;
  readonly cause: string;
}

async function openRun(
  tx: Transaction<Tables>,
  opening: TurnOpening,
): Promise<OpenedRun | null | 'gone'> {
  if (opening.run === null) return null;
  const link = {
    session_id: opening.sessionId,
    turn_id: opening.turnId,
    definition_hash: opening.definitionHash ?? null,
  };
  if ('fresh' in opening.run) {
    const { fresh } = opening.run;
    await tx
      .insertInto('run')
      .values({ ...newRunRow(fresh), ...link })
      .execute();
    await rememberRun(tx, fresh.key, fresh.id);
    return { id: fresh.id, key: fresh.key, cause: fresh.cause };
  }
  const linked = await tx
    .updateTable('run')
    .set({ ...link, reason: null })
    .where('id', '=', opening.run.claimed)
    .where('state', '=', 'queued')
    .where('turn_id', 'is', null)
    .returning(['id', 'cause', 'project', 'source', 'name'])
    .executeTakeFirst();
  if (linked === undefined) return 'gone';
  const { id, cause, project, name } = linked;
  return { id, cause, key: { project, source: linked.source as TriggerKey['source'], name } };
}

async function setOwner(
  tx: Transaction<Tables>,
  key: TriggerKey,
  sessionId: SessionId,
): Promise<void> {
  const owned = { owned_session: sessionId };
  await tx
    .insertInto('trigger_state')
    .values({ project: key.project, source: key.source, name: key.name, ...owned })
    .onConflict((conflict) => conflict.columns(['project', 'source', 'name']).doUpdateSet(owned))
    .execute();
}

// The runtime is the chat's, which was decided when it began.
function runtimeOfChat(eb: ExpressionBuilder<Tables, 'run'>) {
  return eb
    .selectFrom('chat')
    .select('chat.runtime')
    .whereRef('chat.session_id', '=', 'run.session_id');
}

/** Marks a queued turn and its run as running; false when it is not queued any more. */
export async function startTurn(
  tx: Transaction<Tables>,
  id: TurnId,
  start: { at: number; deadline: number; node: string },
): Promise<boolean> {
  const at = isoTime(start.at);
  const started = await tx
    .updateTable('turn')
    .set({
      state: 'running',
      started_at: at,
      deadline_at: isoTime(start.deadline),
      owner_node: start.node,
    })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .returning('run_id')
    .executeTakeFirst();
  if (started === undefined) return false;
  if (started.run_id !== null) {
    await tx
      .updateTable('run')
      .set({ state: 'running', started_at: at, runtime: runtimeOfChat })
      .where('id', '=', started.run_id)
      .execute();
  }
  return true;
}

// Of no matter any more.
const OVER = { deadline_at: null, owner_node: null } as const;

/** Ends a turn, its run and its last words together; null when it has ended before. */
export async function endTurn(
  tx: Transaction<Tables>,
  id: TurnId,
  ending: TurnEnding,
  { at: endedAt, notices }: { readonly at: number; readonly notices: readonly NewMessage[] },
): Promise<EndedTurn | null> {
  const { outcome, reason } = ending;
  const at = isoTime(endedAt);
  const ended = await tx
    .updateTable('turn')
    .set({ state: 'ended', ended_at: at, outcome, reason, ...usedUpTo(ending), ...OVER })
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .returning(['run_id', 'session_id', 'project', 'started_at', 'depth', 'parent_turn'])
    .returning([
      'tokens_in as tokensIn',
      'tokens_out as tokensOut',
      'cost_microusd as costMicrousd',
    ])
    .executeTakeFirst();
  if (ended === undefined) return null;
  await appendMessages(tx, { sessionId: ended.session_id, turnId: id, messages: notices, at });
  await tx
    .updateTable('chat')
    .set({ updated_at: at })
    .where('session_id', '=', ended.session_id)
    .execute();
  const { project, depth } = ended;
  const { tokensIn, tokensOut, costMicrousd } = ended;
  const used = { tokensIn, tokensOut, costMicrousd };
  const run =
    ended.run_id === null ? null : await endRun(tx, ended.run_id, { ...ending, ...used }, endedAt);
  const told = { endsPause: run?.endsPause ?? false };
  if (ended.started_at === null) return told;
  if (ended.run_id === null) {
    const { session_id: sessionId, parent_turn: parentTurn } = ended;
    await raiseTurnEnded(tx, { id, project, sessionId, depth, parentTurn, at });
  }
  const user = run?.key ?? { project, source: 'chat', name: '' };
  const count = run === null ? { runs: 0, chatTurns: 1 } : { runs: 1, chatTurns: 0 };
  await addUsage(tx, user, localDay(endedAt), { ...count, ...used });
  return told;
}

// What was told while it ran counts where the end does not tell.
function usedUpTo({ tokensIn, tokensOut, costMicrousd }: TurnEnding) {
  const known = (told: number | null, column: string) =>
    sql<number | null>`coalesce(${told}, ${sql.ref(column)})`;
  return {
    tokens_in: known(tokensIn, 'tokens_in'),
    tokens_out: known(tokensOut, 'tokens_out'),
    cost_microusd: known(costMicrousd, 'cost_microusd'),
  };
}

async function endRun(
  tx: Transaction<Tables>,
  runId: RunId,
  ending: TurnEnding,
  at: number,
): Promise<(EndedTurn & { readonly key: TriggerKey }) | null> {
  const run = await tx
    .updateTable('run')
    .set({
      state: 'ended',
      ended_at: isoTime(at),
      outcome: ending.outcome,
      reason: ending.reason,
      turns: ending.turns,
      tool_calls: ending.toolCalls,
      denied: JSON.stringify(ending.denied),
      model: ending.model,
      cost_microusd: ending.costMicrousd,
      tokens_in: ending.tokensIn,
      tokens_out: ending.tokensOut,
      runtime: runtimeOfChat,
    })
    .where('id', '=', runId)
    .returning(['project', 'source', 'name', 'definition_hash', 'slot_count'])
    .executeTakeFirst();
  if (run === undefined) return null;
  const { definition_hash: definitionHash, slot_count: slots, project, source, name } = run;
  const key = { project, source: source as TriggerKey['source'], name };
  const counted = { key, outcome: ending.outcome, at };
  const endsPause = await countEnd(tx, { ...counted, definitionHash });
  await countOutcome(tx, { ...counted, slots });
  return { key, endsPause };
}
