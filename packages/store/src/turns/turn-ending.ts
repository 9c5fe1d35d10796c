import { isoTime, localDay } from '@svc/core';
import type { NewMessage, Run, RunId, SessionId, TriggerKey, TurnId } from '@svc/records';
import { type ExpressionBuilder, sql, type Transaction } from 'kysely';
import { countOutcome } from '../alerts/outcome-days.ts';
import { appendMessages } from '../chats/messages.ts';
import { isThere, there } from '../cluster/nodes.ts';
import { prepared } from '../database/prepared.ts';
import { runOf } from '../database/records.ts';
import type { Tables } from '../database/schema.ts';
import { raiseTurnEnded } from '../events/event-writes.ts';
import { countEnd } from '../runs/failure-count.ts';
import { countBudgets } from '../usage/budget-cost.ts';
import { addUsage } from '../usage/usage.ts';
import type { EndedTurn, TurnEnding } from './turn.ts';

// A chat keeps the runtime with which it was created.
function runtimeOfChat(eb: ExpressionBuilder<Tables, 'run'>) {
  return eb
    .selectFrom('chat')
    .select('chat.runtime')
    .whereRef('chat.session_id', '=', 'run.session_id');
}

interface Start {
  readonly id: TurnId;
  readonly at: string;
  readonly deadline: string;
  readonly node: string;
}

const markStarted = prepared((db, start: Start) =>
  db
    .updateTable('turn')
    .set({
      state: 'running',
      started_at: start.at,
      deadline_at: start.deadline,
      owner_node: start.node,
    })
    .where('id', '=', start.id)
    .where('state', '=', 'queued')
    .where((eb) => eb.or([eb('owner_node', 'is', null), eb('owner_node', '=', start.node)]))
    .where(isThere(start.node))
    .returning('run_id')
    .returning((eb) => [runOfTurn(eb, 'claimed_at'), runOfTurn(eb, 'late_ms')])
    .compile(),
);

function runOfTurn<K extends 'claimed_at' | 'late_ms'>(
  eb: ExpressionBuilder<Tables, 'turn'>,
  column: K,
) {
  return eb.selectFrom('run').select(column).whereRef('run.id', '=', 'turn.run_id').as(column);
}

interface RunStart {
  readonly id: RunId;
  readonly at: string;
  readonly lateMs: number | null;
}

const markRunStarted = prepared((db, run: RunStart) =>
  db
    .updateTable('run')
    .set({
      state: 'running',
      started_at: run.at,
      late_ms: run.lateMs,
      runtime: runtimeOfChat,
    })
    .where('id', '=', run.id)
    .compile(),
);

/** Marks a queued turn and its run as running; false if it is no longer queued, or another server has taken it. */
export async function startTurn(
  tx: Transaction<Tables>,
  id: TurnId,
  start: { at: number; deadline: number; node: string },
): Promise<boolean> {
  const at = isoTime(start.at);
  const deadline = isoTime(start.deadline);
  const [started] = await markStarted(tx, { id, at, deadline, node: start.node });
  if (started === undefined) return false;
  const { run_id: runId, claimed_at: claimedAt, late_ms: claimedLate } = started;
  if (runId === null) return true;
  // The lateness of a slot includes the time that it waited after its claim.
  const waited = Math.max(0, start.at - Date.parse(claimedAt ?? at));
  const lateMs = claimedLate === null ? null : Math.round(claimedLate + waited);
  await markRunStarted(tx, { id: runId, at, lateMs });
  return true;
}

// No longer needed.
const OVER = { deadline_at: null, owner_node: null } as const;

interface End {
  readonly id: TurnId;
  readonly at: string;
  readonly node: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly reportedIn: number | null;
  readonly reportedOut: number | null;
  readonly reportedCost: number | null;
}

const markEnded = prepared((db, end: End) =>
  db
    .updateTable('turn')
    .set({
      state: 'ended',
      ended_at: end.at,
      outcome: end.outcome,
      reason: end.reason,
      // Values reported during the turn count if the end reports none.
      tokens_in: known(end.reportedIn, 'tokens_in'),
      tokens_out: known(end.reportedOut, 'tokens_out'),
      cost_microusd: known(end.reportedCost, 'cost_microusd'),
      ...OVER,
    })
    .where('id', '=', end.id)
    .where('state', '<>', 'ended')
    // Another live server may have taken it in the meantime.
    .where((eb) =>
      eb.or([
        eb('owner_node', 'is', null),
        eb('owner_node', '=', end.node),
        eb('owner_node', 'not in', there(db)),
      ]),
    )
    .returning(['run_id', 'session_id', 'project', 'started_at', 'depth', 'parent_turn'])
    .returning([
      'tokens_in as tokensIn',
      'tokens_out as tokensOut',
      'cost_microusd as costMicrousd',
    ])
    .compile(),
);

function known(reported: number | null, column: string) {
  return sql<number | null>`coalesce(${reported}, ${sql.ref(column)})`;
}

const touchChat = prepared((db, given: { readonly sessionId: SessionId; readonly at: string }) =>
  db
    .updateTable('chat')
    .set({ updated_at: given.at })
    .where('session_id', '=', given.sessionId)
    .compile(),
);

interface EndOfTurn {
  readonly at: number;
  readonly notices: readonly NewMessage[];
  /** Id of the server that ends it. */
  readonly node: string;
}

/** Ends a turn, its run and its last messages together; null if it has already ended, or another server has it. */
export async function endTurn(
  tx: Transaction<Tables>,
  id: TurnId,
  ending: TurnEnding,
  { at: endedAt, notices, node }: EndOfTurn,
): Promise<EndedTurn | null> {
  const { outcome, reason } = ending;
  const at = isoTime(endedAt);
  const { tokensIn: reportedIn, tokensOut: reportedOut, costMicrousd: reportedCost } = ending;
  const [ended] = await markEnded(tx, {
    ...{ id, node, at, outcome, reason },
    ...{ reportedIn, reportedOut, reportedCost },
  });
  if (ended === undefined) return null;
  await appendMessages(tx, { sessionId: ended.session_id, turnId: id, messages: notices, at });
  if (notices.length === 0) await touchChat(tx, { sessionId: ended.session_id, at });
  const { project, depth } = ended;
  const { tokensIn, tokensOut, costMicrousd } = ended;
  const used = { tokensIn, tokensOut, costMicrousd };
  const run =
    ended.run_id === null ? null : await endRun(tx, ended.run_id, { ...ending, ...used }, endedAt);
  const result = { endsPause: run?.endsPause ?? false, run: run?.run ?? null };
  if (ended.started_at === null) return result;
  if (ended.run_id === null) {
    const { session_id: sessionId, parent_turn: parentTurn } = ended;
    await raiseTurnEnded(tx, { id, project, sessionId, depth, parentTurn, at });
  }
  const user = run?.key ?? { project, source: 'chat', name: '' };
  const count = run === null ? { runs: 0, chatTurns: 1 } : { runs: 1, chatTurns: 0 };
  await addUsage(tx, user, localDay(endedAt), { ...count, ...used });
  await countBudgets(tx, id, costMicrousd, endedAt);
  return result;
}

interface RunEnd {
  readonly id: RunId;
  readonly at: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly turns: number;
  readonly toolCalls: number;
  readonly toolErrors: number | null;
  readonly denied: string;
  readonly sandbox: string | null;
  readonly network: string | null;
  readonly model: string | null;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly costMicrousd: number | null;
}

const markRunEnded = prepared((db, end: RunEnd) =>
  db
    .updateTable('run')
    .set({
      state: 'ended',
      ended_at: end.at,
      outcome: end.outcome,
      reason: end.reason,
      turns: end.turns,
      tool_calls: end.toolCalls,
      tool_errors: end.toolErrors,
      denied: end.denied,
      sandbox: end.sandbox,
      network: end.network,
      model: end.model,
      cost_microusd: end.costMicrousd,
      tokens_in: end.tokensIn,
      tokens_out: end.tokensOut,
      runtime: runtimeOfChat,
    })
    .where('id', '=', end.id)
    .returningAll()
    .compile(),
);

async function endRun(
  tx: Transaction<Tables>,
  runId: RunId,
  ending: TurnEnding,
  at: number,
): Promise<(EndedTurn & { readonly key: TriggerKey; readonly run: Run }) | null> {
  const { outcome, reason, turns, toolCalls, toolErrors, model, sandbox } = ending;
  const { tokensIn, tokensOut, costMicrousd } = ending;
  const counts = { turns, toolCalls, toolErrors, tokensIn, tokensOut, costMicrousd };
  const denied = JSON.stringify(ending.denied);
  const network = ending.network === null ? null : JSON.stringify(ending.network);
  const processes = { sandbox, network };
  const end = {
    id: runId,
    at: isoTime(at),
    outcome,
    reason,
    denied,
    model,
    ...processes,
    ...counts,
  };
  const [row] = await markRunEnded(tx, end);
  if (row === undefined) return null;
  const run = runOf(row);
  const { definition_hash: definitionHash, slot_count: slots } = row;
  const key = { project: run.project, source: run.source, name: run.trigger };
  const counted = { key, outcome: ending.outcome, at };
  const endsPause = await countEnd(tx, { ...counted, definitionHash });
  await countOutcome(tx, { ...counted, slots });
  return { key, endsPause, run };
}
