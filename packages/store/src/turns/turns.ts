import { isoTime } from '@svc/core';
import type { Actor, EventData, NewMessage, RunId, SessionId, Slug, TurnId } from '@svc/records';
import { actorText } from '@svc/records';
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

/** A turn that runs now. */
export interface RunningTurn {
  readonly turnId: TurnId;
  readonly project: Slug;
  readonly sessionId: SessionId;
  /** Name of the chat. */
  readonly chat: string;
  readonly runId: RunId | null;
  /** Name of the trigger whose run it is; null for what somebody asked for in a chat. */
  readonly trigger: string | null;
  readonly startedAt: string;
  /** Id of the process that runs it; null where that is not known. */
  readonly node: string | null;
}

/** The turns: what was asked of a runtime, and what came of it. */
export interface Turns {
  /** Writes chat, messages, turn and run together; false when the claimed run has ended meanwhile. */
  open(opening: TurnOpening): Promise<boolean>;
  /** Opens all of them or, where anything fails, none; for turns without a claimed run. */
  openAll(openings: readonly TurnOpening[]): Promise<void>;
  get(id: TurnId): Promise<OpenTurn | null>;
  ofRun(runId: RunId): Promise<TurnId | null>;
  /** The turn of a chat that runs, else the one that has waited longest; null where there is none. */
  openIn(sessionId: SessionId): Promise<Pick<OpenTurn, 'id' | 'runId'> | null>;
  /**
   * Gives a process the next turn to start, of a project that has fewer than `perProject` taken (from 1) and of a chat that has
   * none; null where none may be started now.
   */
  take(node: string, perProject: number): Promise<TurnTicket | null>;
  /** Takes a turn that waits, whatever the limits, so that nobody starts it; false where it does not wait any more. */
  takeOut(node: string, id: TurnId): Promise<boolean>;
  /** Has a turn that a process has taken and not started wait again. */
  putBack(node: string, id: TurnId): Promise<void>;
  /** Turns that a process has taken and that are not started. */
  taken(node: string): Promise<readonly TurnId[]>;
  /** Of these turns those that somebody wants stopped, with who it is. */
  unwanted(ids: readonly TurnId[]): Promise<readonly { id: TurnId; by: string | null }[]>;
  /** Of these turns those that have ended. */
  ended(ids: readonly TurnId[]): Promise<readonly TurnId[]>;
  /** How many turns wait that nobody has taken. */
  waiting(): Promise<number>;
  /** Marks a queued turn as running; false when it is not queued any more, or another process has taken it. */
  start(id: TurnId, at: number, deadline: number, node: string): Promise<boolean>;
  /** Keeps what a running turn has used so far: it counts also where nobody can tell it at the end. */
  used(id: TurnId, used: TurnUsed): Promise<void>;
  /** Adds messages to the chat of a turn. */
  append(
    id: TurnId,
    sessionId: SessionId,
    messages: readonly NewMessage[],
    at: number,
  ): Promise<void>;
  /**
   * Ends a turn and its run, with last words for its chat; one that has ended, or that another process has which is there, is
   * left as it is (null).
   */
  end(
    id: TurnId,
    ending: TurnEnding,
    at: number,
    notices?: readonly NewMessage[],
  ): Promise<EndedTurn | null>;
  /** Puts the instructions of a turn into its chat unless it has told the same ones last; true when it did. */
  instruct(instructions: TurnInstructions, at: number): Promise<boolean>;
  /** Notes that somebody wants it stopped. */
  requestCancel(id: TurnId, by: Actor, at: number): Promise<void>;
  /** How many tool calls of a turn its transcript holds. */
  toolCalls(id: TurnId): Promise<number>;
  /** What was said and done in turns, given in the order of their ends: the newest messages, as many as fit. */
  messages(ids: readonly TurnId[], bounds: TurnMessagesBounds): Promise<TurnMessages>;
  /** Ids of the turns that wait, oldest first, with where they belong. */
  queued(): Promise<readonly { id: TurnId; project: Slug; sessionId: SessionId }[]>;
  /** Turns of these projects that run now, the one that has run longest first. */
  runningIn(projects: readonly Slug[]): Promise<readonly RunningTurn[]>;
  /** Turns of triggers that wait or run, and those that they have started, at whatever depth. */
  ofTriggers(): Promise<readonly TurnId[]>;
  /**
   * The run that a turn comes from, at whatever depth, while what has started the turn has ended: nobody waits for it any
   * more. null for every other turn.
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
    // 'running' comes after 'queued'.
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

// A copy goes on in a session of its own once it has one.
function resumeOf({ runtime_ref, fork_ref }: ChatPart): OpenTurn['resume'] {
  if (runtime_ref !== null) return { ref: runtime_ref, fork: false };
  return fork_ref === null ? null : { ref: fork_ref, fork: true };
}
