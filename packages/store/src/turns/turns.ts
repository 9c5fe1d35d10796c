import { isoTime } from '@svc/core';
import {
  type Actor,
  actorText,
  type EventData,
  type NewMessage,
  type RunId,
  type SessionId,
  type Slug,
  type TurnId,
} from '@svc/records';
import type { Kysely } from 'kysely';
import { appendMessages } from '../chats/messages.ts';
import { bodyOf } from '../database/contents.ts';
import { prepared } from '../database/prepared.ts';
import { actorOf, capabilityOf } from '../database/records.ts';
import type { ChatRow, RunRow, Tables, TurnRow } from '../database/schema.ts';
import type { TurnTicket } from './fair-queue.ts';
import { type TurnInstructions, tellInstructions } from './instructions.ts';
import { openTurns } from './open-turns.ts';
import type { EndedTurn, OpenTurn, TurnEnding, TurnOpening, TurnRun, TurnUsed } from './turn.ts';
import { readLeftBy, readOfTriggers } from './turn-descent.ts';
import { endTurn, startTurn } from './turn-ending.ts';
import { readTurnMessages, type TurnMessages, type TurnMessagesBounds } from './turn-messages.ts';
import { openTurn } from './turn-opening.ts';
import {
  countWaiting,
  putBack,
  readTaken,
  readUnwanted,
  takeOut,
  takeTurn,
} from './turn-taking.ts';

/** A running turn. */
export interface RunningTurn {
  readonly turnId: TurnId;
  readonly project: Slug;
  readonly sessionId: SessionId;
  /** Name of the chat. */
  readonly chat: string;
  readonly runId: RunId | null;
  /** Name of the trigger of its run; null for a message in a chat. */
  readonly trigger: string | null;
  readonly startedAt: string;
  /** Id of the server that runs it; null if unknown. */
  readonly node: string | null;
}

/** Turns: requests to a runtime, and their results. */
export interface Turns {
  /** Writes chat, messages, turn and run together; false if the claimed run has ended in the meantime. */
  open(opening: TurnOpening): Promise<boolean>;
  /** Opens all of them, or none if anything fails; for turns without a claimed run. */
  openAll(openings: readonly TurnOpening[]): Promise<void>;
  get(id: TurnId): Promise<OpenTurn | null>;
  ofRun(runId: RunId): Promise<TurnId | null>;
  /** The running turn of a chat, or else the one that has waited longest; null if there is none. */
  openIn(sessionId: SessionId): Promise<Pick<OpenTurn, 'id' | 'runId'> | null>;
  /**
   * Takes the next turn for a server, of a project with fewer than `perProject` taken turns (at least 1) and of a chat
   * without one; null if none may start now.
   */
  take(node: string, perProject: number): Promise<TurnTicket | null>;
  /** Takes a queued turn regardless of limits, so that no server starts it; false if it is no longer queued. */
  takeOut(node: string, id: TurnId): Promise<boolean>;
  /** Queues a turn again that a server has taken and not started. */
  putBack(node: string, id: TurnId): Promise<void>;
  /** Turns that a server has taken and not started. */
  taken(node: string): Promise<readonly TurnId[]>;
  /** Those of the given turns with a request to stop, and who made it. */
  unwanted(ids: readonly TurnId[]): Promise<readonly { id: TurnId; by: string | null }[]>;
  /** Those of the given turns that have ended. */
  ended(ids: readonly TurnId[]): Promise<readonly TurnId[]>;
  /** Number of queued turns that no server has taken. */
  waiting(): Promise<number>;
  /** Marks a queued turn as running; false if it is no longer queued, or another server has taken it. */
  start(id: TurnId, at: number, deadline: number, node: string): Promise<boolean>;
  /** Stores the usage of a running turn so far, which counts if its end cannot report usage. */
  used(id: TurnId, used: TurnUsed): Promise<void>;
  /** Adds messages to the chat of a turn. */
  append(
    id: TurnId,
    sessionId: SessionId,
    messages: readonly NewMessage[],
    at: number,
  ): Promise<void>;
  /**
   * Ends a turn and its run, with last messages for its chat. Null, without changes, if it has already ended, or
   * another live server has it.
   */
  end(
    id: TurnId,
    ending: TurnEnding,
    at: number,
    notices?: readonly NewMessage[],
  ): Promise<EndedTurn | null>;
  /** Adds the instructions of a turn to its chat unless they are the last ones it has; true if added. */
  instruct(instructions: TurnInstructions, at: number): Promise<boolean>;
  /** Stores a request to stop a turn. */
  requestCancel(id: TurnId, by: Actor, at: number): Promise<void>;
  /** Number of tool calls of a turn in its transcript. */
  toolCalls(id: TurnId): Promise<number>;
  /** The newest messages of turns that fit; turns are given in the order in which they ended. */
  messages(ids: readonly TurnId[], bounds: TurnMessagesBounds): Promise<TurnMessages>;
  /** Ids of the queued turns, oldest first, with their project and session. */
  queued(): Promise<readonly { id: TurnId; project: Slug; sessionId: SessionId }[]>;
  /** Running turns of these projects, longest first. */
  runningIn(projects: readonly Slug[]): Promise<readonly RunningTurn[]>;
  /** Queued and running turns of triggers, and turns that they started directly or indirectly. */
  ofTriggers(): Promise<readonly TurnId[]>;
  /**
   * The run that a turn descends from, if the turn that started it has ended, so that nothing waits for it; null
   * otherwise.
   */
  leftBy(id: TurnId): Promise<{ readonly project: Slug; readonly runId: RunId } | null>;
}

export function createTurns(db: Kysely<Tables>, node: string): Turns {
  return {
    open: (opening) => db.transaction().execute((tx) => openTurn(tx, opening)),
    async openAll(openings) {
      await db.transaction().execute(async (tx) => {
        for (const opening of openings) await openTurn(tx, opening);
      });
    },
    get: (id) => readTurn(db, id),
    async ofRun(runId) {
      const row = await db
        .selectFrom('run')
        .select('turn_id')
        .where('id', '=', runId)
        .executeTakeFirst();
      return row?.turn_id ?? null;
    },
    openIn: (sessionId) => readOpenIn(db, sessionId),
    take: (node, perProject) => takeTurn(db, node, perProject),
    takeOut: (node, id) => takeOut(db, node, id),
    putBack: (node, id) => putBack(db, node, id),
    taken: (node) => readTaken(db, node),
    unwanted: (ids) => readUnwanted(db, ids),
    async ended(ids) {
      if (ids.length === 0) return [];
      const ended = db.selectFrom('turn').select('id').where('state', '=', 'ended');
      return (await ended.where('id', 'in', ids).execute()).map(({ id }) => id);
    },
    waiting: () => countWaiting(db),
    start: (id, at, deadline, node) =>
      db.transaction().execute((tx) => startTurn(tx, id, { at, deadline, node })),
    used: (id, used) => keepUsed(db, id, used),
    async append(id, sessionId, messages, at) {
      await db
        .transaction()
        .execute((tx) => appendMessages(tx, { sessionId, turnId: id, messages, at: isoTime(at) }));
    },
    end: (id, ending, at, notices = []) =>
      db.transaction().execute((tx) => endTurn(tx, id, ending, { at, notices, node })),
    instruct: (instructions, at) => tellInstructions(db, instructions, at),
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
    messages: (ids, bounds) => readTurnMessages(db, ids, bounds),
    async queued() {
      const rows = await selectOpen(db, 'queued').execute();
      return rows.map((row) => ({ id: row.id, project: row.project, sessionId: row.session_id }));
    },
    runningIn: (projects) => readRunning(db, projects),
    ofTriggers: () => readOfTriggers(db),
    leftBy: (id) => readLeftBy(db, id),
  };
}

async function keepUsed(
  db: Kysely<Tables>,
  id: TurnId,
  { tokensIn, tokensOut, costMicrousd }: TurnUsed,
): Promise<void> {
  await db
    .updateTable('turn')
    .set({ tokens_in: tokensIn, tokens_out: tokensOut, cost_microusd: costMicrousd })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

const selectTurn = prepared((db, { id }: { readonly id: TurnId }) =>
  db
    .selectFrom('turn')
    .innerJoin('chat', 'chat.session_id', 'turn.session_id')
    .leftJoin('run', 'run.id', 'turn.run_id')
    .select(['turn.id', 'turn.session_id', 'turn.run_id', 'turn.project', 'turn.depth'])
    .select(['turn.timeout_ms', 'turn.cancel_requested_at', 'turn.queued_at'])
    .select(['chat.model', 'chat.runtime', 'chat.runtime_ref', 'chat.fork_ref'])
    .select(['run.source', 'run.name', 'run.cause', 'run.by_kind', 'run.by_id'])
    .select(['run.claimed_at', 'run.late_ms'])
    .select([
      bodyOf('turn.prompt').as('promptText'),
      bodyOf('turn.context').as('contextText'),
      bodyOf('turn.capability').as('capabilityText'),
    ])
    .where('turn.id', '=', id)
    .compile(),
);

async function readTurn(db: Kysely<Tables>, id: TurnId): Promise<OpenTurn | null> {
  const [row] = await selectTurn(db, { id });
  return row === undefined ? null : openTurnOf(row);
}

async function readOpenIn(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<Pick<OpenTurn, 'id' | 'runId'> | null> {
  const row = await db
    .selectFrom('turn')
    .select(['id', 'run_id'])
    .where('session_id', '=', sessionId)
    .where('state', '<>', 'ended')
    // 'running' sorts after 'queued'.
    .orderBy('state', 'desc')
    .orderBy('queued_at')
    .orderBy('id')
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, runId: row.run_id };
}

async function readRunning(db: Kysely<Tables>, projects: readonly Slug[]): Promise<RunningTurn[]> {
  if (projects.length === 0) return [];
  const rows = await openTurns(db, 'running')
    .innerJoin('chat', 'chat.session_id', 'turn.session_id')
    .leftJoin('run', 'run.id', 'turn.run_id')
    .select(['turn.id', 'turn.project', 'turn.session_id', 'turn.run_id', 'turn.queued_at'])
    .select(['turn.started_at', 'turn.owner_node', 'chat.name as chat', 'run.name as trigger'])
    .where('turn.project', 'in', projects)
    .orderBy('turn.started_at')
    .orderBy('turn.id')
    .execute();
  return rows.map((row) => ({
    turnId: row.id,
    project: row.project,
    sessionId: row.session_id,
    chat: row.chat,
    runId: row.run_id,
    trigger: row.trigger,
    startedAt: row.started_at ?? row.queued_at,
    node: row.owner_node,
  }));
}

function selectOpen(db: Kysely<Tables>, state: 'queued' | 'running') {
  return openTurns(db, state)
    .select(['id', 'project', 'session_id'])
    .orderBy('queued_at')
    .orderBy('id');
}

interface Texts {
  readonly promptText: string | null;
  readonly contextText: string | null;
  readonly capabilityText: string | null;
}

type ChatPart = Pick<ChatRow, 'model' | 'runtime' | 'runtime_ref' | 'fork_ref'>;

type RunPart = {
  [K in 'source' | 'name' | 'cause' | 'by_kind' | 'by_id' | 'claimed_at' | 'late_ms']:
    | RunRow[K]
    | null;
};

type TurnPart = Pick<
  TurnRow,
  | 'id'
  | 'session_id'
  | 'run_id'
  | 'project'
  | 'depth'
  | 'timeout_ms'
  | 'queued_at'
  | 'cancel_requested_at'
>;

function openTurnOf(row: TurnPart & ChatPart & RunPart & Texts): OpenTurn {
  return {
    id: row.id,
    sessionId: row.session_id,
    runId: row.run_id,
    run: turnRunOf(row),
    project: row.project,
    prompt: row.promptText ?? '',
    context: JSON.parse(row.contextText ?? 'null') as EventData | null,
    capability: capabilityOf(row.capabilityText ?? ''),
    depth: row.depth,
    timeoutMs: row.timeout_ms ?? 0,
    queuedAt: row.queued_at,
    cancelRequested: row.cancel_requested_at !== null,
    model: row.model,
    runtime: row.runtime,
    resume: resumeOf(row),
  };
}

function turnRunOf(row: RunPart): TurnRun | null {
  const { source, name, cause, by_kind, by_id, claimed_at, late_ms } = row;
  if (source === null || name === null) return null;
  return {
    source: source as TurnRun['source'],
    trigger: name,
    cause: cause as TurnRun['cause'],
    by: actorOf(by_kind, by_id),
    claimedAt: claimed_at ?? '',
    lateMs: late_ms,
  };
}

// A copy continues in a session of its own after its first turn.
function resumeOf({ runtime_ref, fork_ref }: ChatPart): OpenTurn['resume'] {
  if (runtime_ref !== null) return { ref: runtime_ref, fork: false };
  return fork_ref === null ? null : { ref: fork_ref, fork: true };
}
