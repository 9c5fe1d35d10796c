import { isoTime } from '@svc/core';
import type { RunId, SessionId, TriggerKey, TurnId } from '@svc/records';
import type { Transaction } from 'kysely';
import { forkChat, insertChat, type NewChat } from '../chats/chat-writes.ts';
import { appendKept, contentOf, sayFrom } from '../chats/messages.ts';
import { keepContents, keepText, releaseContents, textContent } from '../database/contents.ts';
import { prepared } from '../database/prepared.ts';
import type { Tables } from '../database/schema.ts';
import { isOfEvent } from '../events/event-writes.ts';
import { newRunRow, rememberRun } from '../runs/runs.ts';
import { countFire } from '../usage/daily-fires.ts';
import type { TurnOpening } from './turn.ts';

interface TurnValues {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly runId: RunId | null;
  readonly project: string;
  readonly prompt: number;
  readonly context: number | null;
  readonly capability: number;
  readonly depth: number;
  readonly spawnLimit: number;
  readonly parentTurn: TurnId | null;
  readonly ofEvent: number;
  readonly timeoutMs: number;
  readonly at: string;
}

const insertTurn = prepared((db, turn: TurnValues) =>
  db
    .insertInto('turn')
    .values({
      id: turn.id,
      session_id: turn.sessionId,
      run_id: turn.runId,
      project: turn.project,
      prompt: turn.prompt,
      context: turn.context,
      capability: turn.capability,
      depth: turn.depth,
      spawn_limit: turn.spawnLimit,
      parent_turn: turn.parentTurn,
      of_event: turn.ofEvent,
      timeout_ms: turn.timeoutMs,
      state: 'queued',
      queued_at: turn.at,
      started_at: null,
      ended_at: null,
      deadline_at: null,
      owner_node: null,
      cancel_requested_at: null,
      cancel_by: null,
      outcome: null,
      reason: null,
    })
    .compile(),
);

/** Writes everything that starts a turn; false if its claimed run has ended in the meantime. */
export async function openTurn(tx: Transaction<Tables>, opening: TurnOpening): Promise<boolean> {
  const at = isoTime(opening.at);
  const run = await openRun(tx, opening);
  if (run === 'gone') return false;
  const runId = run?.id ?? null;
  if (run !== null && opening.daily !== undefined) await countFire(tx, run.key, opening.daily);
  const { parentTurn } = opening;
  const isByEvent =
    run?.cause === 'event' || (parentTurn !== null && (await isOfEvent(tx, parentTurn)));
  const kept = await keepAll(tx, opening);
  const chat = await chatFor(tx, opening, kept, at);
  await insertTurn(tx, {
    id: opening.turnId,
    sessionId: opening.sessionId,
    runId,
    project: opening.project,
    prompt: kept.prompt,
    context: kept.context,
    capability: kept.capability,
    depth: opening.depth,
    spawnLimit: opening.capability.maxSpawnDepth,
    parentTurn,
    ofEvent: isByEvent ? 1 : 0,
    timeoutMs: opening.timeoutMs,
    at,
  });
  const { sessionId, turnId, messages } = opening;
  const said = { sessionId, turnId, messages, contents: kept.messages, at };
  if (chat === null) await appendKept(tx, said);
  else await sayFrom(tx, { ...said, chat, first: 1 });
  if (opening.owner !== null) await setOwner(tx, opening.owner, opening.sessionId);
  return true;
}

// The trigger of a resumed chat may have changed: the capability and model of the chat follow it.
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

// Messages of people and agents are not removed with the runs of a trigger.
async function noteWords(tx: Transaction<Tables>, sessionId: SessionId): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ is_spoken_in: 1 })
    .where('session_id', '=', sessionId)
    .where('is_spoken_in', '=', 0)
    .execute();
}

/** Numbers of the contents that a turn starts with. */
interface Kept {
  readonly prompt: number;
  readonly context: number | null;
  readonly capability: number;
  /** The capability of its new chat; null if it has none, or a copy. */
  readonly ofChat: number | null;
  readonly messages: readonly number[];
}

// One statement for all contents.
async function keepAll(tx: Transaction<Tables>, opening: TurnOpening): Promise<Kept> {
  const { prompt, context = null, capability, chat, messages } = opening;
  const ofContext = context === null ? [] : [textContent('context', JSON.stringify(context))];
  const ofChat = isNew(chat) ? [textContent('capability', JSON.stringify(chat.capability))] : [];
  const numbers = await keepContents(tx, [
    textContent('prompt', prompt),
    textContent('capability', JSON.stringify(capability)),
    ...ofContext,
    ...ofChat,
    ...messages.map(contentOf),
  ]);
  const [prompted, able, ...others] = numbers as [number, number, ...number[]];
  const [first = null, second = null] = others;
  return {
    prompt: prompted,
    capability: able,
    context: context === null ? null : first,
    ofChat: isNew(chat) ? (context === null ? first : second) : null,
    messages: others.slice(ofContext.length + ofChat.length),
  };
}

function isNew(chat: NewChat | null): chat is NewChat {
  return chat !== null && chat.forkedFrom === null;
}

/**
 * Creates or updates the chat of a turn. Returns the number of a new chat, which has already counted its messages; null
 * otherwise.
 */
async function chatFor(
  tx: Transaction<Tables>,
  opening: TurnOpening,
  kept: Kept,
  at: string,
): Promise<number | null> {
  const { chat } = opening;
  if (chat !== null && kept.ofChat !== null) {
    return insertChat(tx, chat, {
      capability: kept.ofChat,
      messages: opening.messages.length,
      at,
    });
  }
  // A copy starts with the messages of its source chat.
  if (chat?.forkedFrom) await forkChat(tx, chat.forkedFrom, chat, at);
  else if (opening.run !== null) await renewChat(tx, opening);
  else await noteWords(tx, opening.sessionId);
  return null;
}

interface Link {
  readonly id: RunId;
  readonly session_id: SessionId;
  readonly turn_id: TurnId;
  readonly definition_hash: string | null;
}

const linkClaimed = prepared((db, link: Link) =>
  db
    .updateTable('run')
    .set({
      session_id: link.session_id,
      turn_id: link.turn_id,
      definition_hash: link.definition_hash,
      reason: null,
    })
    .where('id', '=', link.id)
    .where('state', '=', 'queued')
    .where('turn_id', 'is', null)
    .returning(['id', 'cause', 'project', 'source', 'name'])
    .compile(),
);

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
  const [linked] = await linkClaimed(tx, { ...link, id: opening.run.claimed });
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
