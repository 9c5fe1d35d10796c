import { isoTime } from '@svc/core';
import type {
  Actor,
  Capability,
  DeniedCall,
  NewMessage,
  RunId,
  RunOutcome,
  SessionId,
  Slug,
  TriggerKey,
  TurnId,
} from '@svc/records';
import { actorText } from '@svc/records';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { insertChat, type NewChat } from './chats.ts';
import { appendMessages } from './messages.ts';
import { capabilityOf } from './records.ts';
import { type NewRun, newRunRow, rememberRun } from './runs.ts';
import type { Tables, TurnRow } from './schema.ts';

/** Everything that begins a turn; written in one transaction. */
export interface TurnOpening {
  readonly turnId: TurnId;
  readonly sessionId: SessionId;
  readonly project: Slug;
  /** The author's text. */
  readonly prompt: string;
  /** Data that goes with the prompt (JSON), never part of its text. */
  readonly context: unknown;
  readonly capability: Capability;
  readonly depth: number;
  readonly parentTurn: TurnId | null;
  readonly timeoutMs: number;
  readonly at: number;
  /** A chat to create; null when the turn goes into an existing one. */
  readonly chat: NewChat | null;
  /** A run that was claimed before, a new one, or none (a chat message). */
  readonly run: { readonly claimed: RunId } | { readonly fresh: NewRun } | null;
  /** A trigger that owns this chat from now on (`session: resume`). */
  readonly owner: TriggerKey | null;
  readonly messages: readonly NewMessage[];
}

/** A turn that waits or runs. */
export interface OpenTurn {
  readonly id: TurnId;
  readonly sessionId: SessionId;
  readonly runId: RunId | null;
  readonly project: Slug;
  readonly prompt: string;
  readonly context: unknown;
  readonly capability: Capability;
  readonly depth: number;
  readonly timeoutMs: number;
  readonly cancelRequested: boolean;
  readonly model: string | null;
  readonly runtime: string;
  readonly runtimeRef: string | null;
}

/** How a turn ended, with what it used. */
export interface TurnEnding {
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  readonly turns: number;
  readonly toolCalls: number;
  readonly denied: readonly DeniedCall[];
  readonly model: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costMicrousd: number | null;
  readonly runtimeRef: string | null;
}

/** The turns: what was asked of a runtime, and what came of it. */
export interface Turns {
  /** Writes chat, messages, turn and run together; false when the claimed run has ended meanwhile. */
  open(opening: TurnOpening): Promise<boolean>;
  get(id: TurnId): Promise<OpenTurn | null>;
  ofRun(runId: RunId): Promise<TurnId | null>;
  /** Marks a queued turn as running; false when it is not queued any more. */
  start(id: TurnId, at: number, deadline: number, node: string): Promise<boolean>;
  /** Adds messages to the chat of a turn. */
  append(
    id: TurnId,
    sessionId: SessionId,
    messages: readonly NewMessage[],
    at: number,
  ): Promise<void>;
  /** Ends a turn and its run, with last words for its chat; an ended one is left as it is (false). */
  end(
    id: TurnId,
    ending: TurnEnding,
    at: number,
    notices?: readonly NewMessage[],
  ): Promise<boolean>;
  /** Notes that somebody wants it stopped. */
  requestCancel(id: TurnId, by: Actor, at: number): Promise<void>;
  /** How many tool calls of a turn its transcript holds. */
  toolCalls(id: TurnId): Promise<number>;
  /** Ids of the turns that wait, oldest first, with where they belong. */
  queued(): Promise<readonly { id: TurnId; project: Slug; sessionId: SessionId }[]>;
  /** Turns that are marked as running. */
  running(): Promise<readonly { id: TurnId; sessionId: SessionId }[]>;
}

export function createTurns(db: Kysely<Tables>): Turns {
  return {
    open: (opening) => db.transaction().execute((tx) => openTurn(tx, opening)),
    async get(id) {
      const row = await db
        .selectFrom('turn')
        .innerJoin('chat', 'chat.session_id', 'turn.session_id')
        .selectAll('turn')
        .select(['chat.model', 'chat.runtime', 'chat.runtime_ref'])
        .where('turn.id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : openTurnOf(row);
    },
    async ofRun(runId) {
      const row = await db
        .selectFrom('run')
        .select('turn_id')
        .where('id', '=', runId)
        .executeTakeFirst();
      return row?.turn_id ?? null;
    },
    start: (id, at, deadline, node) =>
      db.transaction().execute((tx) => startTurn(tx, id, { at, deadline, node })),
    async append(id, sessionId, messages, at) {
      await db
        .transaction()
        .execute((tx) => appendMessages(tx, { sessionId, turnId: id, messages, at: isoTime(at) }));
    },
    end: (id, ending, at, notices = []) =>
      db.transaction().execute((tx) => endTurn(tx, id, ending, { at: isoTime(at), notices })),
    async requestCancel(id, by, at) {
      await db
        .updateTable('turn')
        .set({ cancel_requested_at: isoTime(at), cancel_by: actorText(by) })
        .where('id', '=', id)
        .where('state', '<>', 'ended')
        .execute();
    },
    async toolCalls(id) {
      const row = await db
        .selectFrom('turn')
        .innerJoin('message', 'message.session_id', 'turn.session_id')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('turn.id', '=', id)
        .where('message.turn_id', '=', id)
        .where('message.kind', '=', 'tool_use')
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },
    async queued() {
      const rows = await selectOpen(db, 'queued').execute();
      return rows.map((row) => ({ id: row.id, project: row.project, sessionId: row.session_id }));
    },
    async running() {
      const rows = await selectOpen(db, 'running').execute();
      return rows.map((row) => ({ id: row.id, sessionId: row.session_id }));
    },
  };
}

// The second condition lets the partial index on unfinished turns serve the query.
function selectOpen(db: Kysely<Tables>, state: 'queued' | 'running') {
  return db
    .selectFrom('turn')
    .select(['id', 'project', 'session_id'])
    .where('state', '<>', 'ended')
    .where('state', '=', state)
    .orderBy('queued_at')
    .orderBy('id');
}

function openTurnOf(
  row: TurnRow & { model: string | null; runtime: string; runtime_ref: string | null },
): OpenTurn {
  return {
    id: row.id,
    sessionId: row.session_id,
    runId: row.run_id,
    project: row.project,
    prompt: row.prompt,
    context: JSON.parse(row.context),
    capability: capabilityOf(row.capability),
    depth: row.depth,
    timeoutMs: row.timeout_ms ?? 0,
    cancelRequested: row.cancel_requested_at !== null,
    model: row.model,
    runtime: row.runtime,
    runtimeRef: row.runtime_ref,
  };
}

async function openTurn(tx: Transaction<Tables>, opening: TurnOpening): Promise<boolean> {
  const at = isoTime(opening.at);
  const runId = await openRun(tx, opening);
  if (runId === 'gone') return false;
  if (opening.chat !== null) await insertChat(tx, opening.chat, at);
  await tx
    .insertInto('turn')
    .values({
      id: opening.turnId,
      session_id: opening.sessionId,
      run_id: runId,
      project: opening.project,
      prompt: opening.prompt,
      context: JSON.stringify(opening.context ?? null),
      capability: JSON.stringify(opening.capability),
      depth: opening.depth,
      spawn_limit: opening.capability.maxSpawnDepth,
      parent_turn: opening.parentTurn,
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

async function openRun(
  tx: Transaction<Tables>,
  opening: TurnOpening,
): Promise<RunId | null | 'gone'> {
  if (opening.run === null) return null;
  const link = { session_id: opening.sessionId, turn_id: opening.turnId };
  if ('fresh' in opening.run) {
    const { fresh } = opening.run;
    await tx
      .insertInto('run')
      .values({ ...newRunRow(fresh), ...link })
      .execute();
    await rememberRun(tx, fresh.key, fresh.id);
    return fresh.id;
  }
  const linked = await tx
    .updateTable('run')
    .set(link)
    .where('id', '=', opening.run.claimed)
    .where('state', '=', 'queued')
    .where('turn_id', 'is', null)
    .executeTakeFirst();
  return linked.numUpdatedRows === 0n ? 'gone' : opening.run.claimed;
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

async function startTurn(
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

async function endTurn(
  tx: Transaction<Tables>,
  id: TurnId,
  ending: TurnEnding,
  { at, notices }: { readonly at: string; readonly notices: readonly NewMessage[] },
): Promise<boolean> {
  const { outcome, reason } = ending;
  const ended = await tx
    .updateTable('turn')
    .set({ state: 'ended', ended_at: at, outcome, reason })
    .where('id', '=', id)
    .where('state', '<>', 'ended')
    .returning(['run_id', 'session_id', 'project'])
    .executeTakeFirst();
  if (ended === undefined) return false;
  await appendMessages(tx, { sessionId: ended.session_id, turnId: id, messages: notices, at });
  await tx
    .updateTable('chat')
    .set({
      updated_at: at,
      ...(ending.runtimeRef === null ? {} : { runtime_ref: ending.runtimeRef }),
    })
    .where('session_id', '=', ended.session_id)
    .execute();
  if (ended.run_id !== null) await endRun(tx, ended.run_id, ending, at);
  return true;
}

async function endRun(
  tx: Transaction<Tables>,
  runId: RunId,
  ending: TurnEnding,
  at: string,
): Promise<void> {
  const run = await tx
    .updateTable('run')
    .set({
      state: 'ended',
      ended_at: at,
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
    .returning(['project', 'source', 'name'])
    .executeTakeFirst();
  if (run === undefined) return;
  const failed = ending.outcome !== 'succeeded';
  await tx
    .updateTable('trigger_state')
    .set((eb) => ({
      consecutive_failures: failed ? eb('consecutive_failures', '+', 1) : eb.lit(0),
    }))
    .where('project', '=', run.project)
    .where('source', '=', run.source)
    .where('name', '=', run.name)
    .execute();
}
