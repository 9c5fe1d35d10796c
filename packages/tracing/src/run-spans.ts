import type { TracedTurn } from '@svc/engine';
import { FAILURE_OUTCOMES, type Run, type RunOutcome } from '@svc/records';
import { agentAttributes, agentName } from './agent-attributes.ts';
import { SVC } from './attribute-names.ts';
import type { FindProvider } from './model-provider.ts';
import { type Span, spanIdOf, traceIdOf } from './span.ts';

const FAILURES: readonly RunOutcome[] = FAILURE_OUTCOMES;

/** The error of a span with this outcome; null for outcomes that are no failure. */
export function errorOf(outcome: RunOutcome | null, reason: string | null): Span['error'] {
  return outcome !== null && FAILURES.includes(outcome) ? { type: outcome, message: reason } : null;
}

// After an outage of hours, the span would otherwise cover hours in which nothing happened.
const MAX_LATENESS_MS = 60_000;

/** Start of the span of a run: its slot, or its claim if it was more than a minute late. */
function beginOf(claimed: number, lateMs: number | null): number {
  return lateMs !== null && lateMs >= 0 && lateMs <= MAX_LATENESS_MS ? claimed - lateMs : claimed;
}

/** The spans of a run before its turn, which starts at `now`. */
export function spansBefore(turn: TracedTurn, now: number): Span[] {
  const { runId, run } = turn;
  if (runId === null || run === null) return [];
  const claimed = Date.parse(run.claimedAt);
  const queued = Date.parse(turn.queuedAt);
  const span = stepsOf(runId);
  return [
    ...claimSpan(runId, claimed, run.lateMs),
    span('start', claimed, queued),
    span('wait', queued, now),
  ];
}

function claimSpan(runId: string, claimed: number, lateMs: number | null): Span[] {
  if (lateMs === null) return [];
  const attributes = { [SVC.late]: lateMs };
  return [{ ...stepsOf(runId)('claim', beginOf(claimed, lateMs), claimed), attributes }];
}

function stepsOf(runId: string) {
  const parent = spanIdOf(runId);
  const common = { traceId: traceIdOf(runId), parent, kind: 'internal' as const };
  return (name: string, begin: number, end: number): Span => ({
    ...common,
    id: stepIdOf(runId, name),
    name,
    begin,
    end: Math.max(begin, end),
    attributes: {},
    error: null,
  });
}

// Derived from the run, so that a second export after a restart is the same span.
function stepIdOf(runId: string, name: string): string {
  const mark = { claim: '1', start: '2', wait: '3' }[name] ?? '0';
  return `${mark}${spanIdOf(runId).slice(1)}`;
}

/** The spans of an ended run and its turn; empty for slots that were missed or skipped. */
export function spansOfRun(run: Run, findProvider: FindProvider): Span[] {
  const { outcome } = run;
  if (outcome === null || outcome === 'missed' || outcome.startsWith('skipped_')) return [];
  const claimed = Date.parse(run.claimedAt);
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const ended = Date.parse(run.endedAt ?? run.claimedAt);
  const waited = started === null ? 0 : started - claimed;
  const claimedLate = run.lateMs === null ? null : run.lateMs - waited;
  const root: Span = {
    traceId: traceIdOf(run.id),
    id: spanIdOf(run.id),
    parent: null,
    name: `fire ${run.project}/${run.trigger}`,
    kind: 'consumer',
    begin: beginOf(claimed, claimedLate),
    end: ended,
    attributes: attributesOf(run),
    error: errorOf(outcome, run.reason),
  };
  if (started === null) return [root, ...claimSpan(run.id, claimed, claimedLate)];
  return run.turnId === null
    ? [root]
    : [root, agentSpan(run, run.turnId, started, ended, findProvider)];
}

function attributesOf(run: Run): Span['attributes'] {
  return {
    [SVC.project]: run.project,
    [SVC.trigger]: run.trigger,
    [SVC.cause]: run.cause,
    [SVC.run]: run.id,
    [SVC.event]: run.eventId,
    [SVC.by]: run.by,
    [SVC.scheduledFor]: run.scheduledFor,
    [SVC.late]: run.lateMs,
    [SVC.catchUp]: run.catchUp,
    [SVC.outcome]: run.outcome,
    [SVC.reason]: run.reason,
  };
}

function agentSpan(
  run: Run,
  turnId: string,
  begin: number,
  end: number,
  findProvider: FindProvider,
): Span {
  const { trigger: agent, sessionId, runtime, model, tokensIn, tokensOut, cost } = run;
  const { turns: modelCalls, toolCalls, toolErrors, denied, sandbox, network } = run;
  const calls = { modelCalls, toolCalls, toolErrors, denied: denied.length, sandbox, network };
  const counts = { ...calls, tokensIn, tokensOut, cost };
  return {
    traceId: traceIdOf(run.id),
    id: spanIdOf(turnId),
    parent: spanIdOf(run.id),
    name: agentName({ agent }),
    kind: 'internal',
    begin,
    end,
    attributes: agentAttributes(
      { turnId, agent, sessionId, runtime, model, ...counts },
      findProvider,
    ),
    error: errorOf(run.outcome, run.reason),
  };
}
