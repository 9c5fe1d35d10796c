import { randomBytes } from 'node:crypto';
import type { Clock } from '@svc/core';
import type { TracedTurn, Tracer, TurnTracer } from '@svc/engine';
import { GRANTABLE_TOOLS } from '@svc/records';
import { agentAttributes, agentName } from './agent-attributes.ts';
import { GEN_AI, SVC } from './attribute-names.ts';
import type { FindProvider } from './model-provider.ts';
import { errorOf, spansBefore, spansOfRun } from './run-spans.ts';
import { type Span, spanIdOf, traceIdOf } from './span.ts';

/** Dependencies of a tracer. */
export interface TracerDeps {
  readonly clock: Pick<Clock, 'now' | 'mono'>;
  readonly findProvider: FindProvider;
  /** Whether a trace is exported. */
  readonly isSampled: (traceId: string) => boolean;
  /** Exports a completed span; must return at once and not throw. */
  readonly write: (span: Span) => void;
}

/**
 * Creates a tracer. It stores no state for runs: their span ids are derived, and their spans are written from the record at the
 * end, also if another process started the run.
 */
export function createTracer(deps: TracerDeps): Tracer {
  return {
    environment({ id, runId }) {
      const traceId = traceIdOf(runId ?? id);
      // W3C Trace Context, version 00.
      const flags = deps.isSampled(traceId) ? '01' : '00';
      return { TRACEPARENT: `00-${traceId}-${spanIdOf(id)}-${flags}` };
    },
    follow: (turn) => followTurn(deps, turn),
    ended(run) {
      for (const span of spansOfRun(run, deps.findProvider)) deps.write(span);
    },
  };
}

interface OpenCall {
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly begin: number;
}

/** A turn that is being traced. */
interface Followed {
  readonly deps: TracerDeps;
  readonly turn: TracedTurn;
  readonly traceId: string;
  readonly agent: string;
  readonly open: Map<string, OpenCall>;
  /** Monotonic time in milliseconds since the epoch, with fractions. */
  readonly now: () => number;
}

// Names and ids from an agent may contain anything it has read, so only known values are exported.
const shownTool = (name: string): string => (GRANTABLE_TOOLS.includes(name) ? name : 'other');
const shownId = (callId: string): string | null =>
  /^[A-Za-z0-9_-]{1,64}$/.test(callId) ? callId : null;
const shownModel = (model: string | null): string | null =>
  model !== null && /^[\w./:@-]{1,100}$/.test(model) ? model : null;

// Limit for agents that make calls without results.
const MAX_OPEN = 1000;

function followTurn(deps: TracerDeps, turn: TracedTurn): TurnTracer {
  const { clock, write } = deps;
  const offset = clock.now() - clock.mono();
  const now = (): number => clock.mono() + offset;
  const traceId = traceIdOf(turn.runId ?? turn.id);
  const followed: Followed = {
    ...{ deps, turn, traceId, now, agent: spanIdOf(turn.id), open: new Map<string, OpenCall>() },
  };
  const begin = now();
  for (const span of spansBefore(turn, begin)) write(span);
  return {
    said({ kind, tool }, within) {
      if (tool === null) return;
      const { callId, name, isError } = tool;
      if (kind === 'tool_use') openCall(followed, callId, shownTool(name), within);
      if (kind === 'tool_result') {
        closeCall(
          followed,
          callId,
          isError === true ? { type: 'tool_error', message: null } : null,
        );
      }
    },
    asked: (call) => write(chatSpan(followed, call)),
    ended(ending) {
      const { outcome } = ending;
      const left = { type: outcome, message: 'The turn ended before the call was answered.' };
      for (const callId of [...followed.open.keys()]) closeCall(followed, callId, left);
      if (turn.runId === null) write(turnSpan(followed, ending, begin));
    },
  };
}

function parentOf({ open, agent }: Followed, within: string | null): string {
  return (within === null ? undefined : open.get(within)?.id) ?? agent;
}

function openCall(followed: Followed, callId: string, name: string, within: string | null): void {
  const { open, now } = followed;
  if (open.size >= MAX_OPEN) return;
  const id = newSpanId();
  open.set(callId, { id, parent: parentOf(followed, within), name, begin: now() });
}

function closeCall({ deps, traceId, open, now }: Followed, callId: string, error: Span['error']) {
  const call = open.get(callId);
  if (call === undefined) return;
  open.delete(callId);
  deps.write({
    ...{ traceId, id: call.id, parent: call.parent, begin: call.begin, end: now(), error },
    name: `execute_tool ${call.name}`,
    kind: 'internal',
    attributes: {
      [GEN_AI.operation]: 'execute_tool',
      [GEN_AI.tool]: call.name,
      [GEN_AI.toolCall]: shownId(callId),
    },
  });
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

// The value that the semantic conventions define for other errors.
const OTHER = '_OTHER';

function chatSpan(followed: Followed, call: Parameters<TurnTracer['asked']>[0]): Span {
  const { deps, turn, traceId, now } = followed;
  const { model, durationMs, error } = call;
  const { provider, address, port } = deps.findProvider(turn.runtime, model ?? turn.model);
  const end = now();
  return {
    ...{ traceId, id: newSpanId(), parent: parentOf(followed, call.within) },
    name: model === null ? 'chat' : `chat ${model}`,
    kind: 'client',
    ...{ begin: end - durationMs, end },
    attributes: {
      [GEN_AI.operation]: 'chat',
      [GEN_AI.provider]: provider,
      [GEN_AI.conversation]: turn.sessionId,
      [GEN_AI.requestModel]: model,
      [GEN_AI.responseModel]: shownModel(call.answeredBy),
      [GEN_AI.tokensIn]: call.tokensIn,
      [GEN_AI.tokensOut]: call.tokensOut,
      'server.address': address,
      'server.port': port,
      [SVC.cost]: dollarsOf(call.costMicrousd),
    },
    // The error message of an endpoint may repeat the prompt.
    error: error === null ? null : { type: OTHER, message: null },
  };
}

function turnSpan(
  { deps, turn, traceId, agent, now }: Followed,
  ending: Parameters<TurnTracer['ended']>[0],
  begin: number,
): Span {
  const { id: turnId, sessionId, runtime, project, depth } = turn;
  const { agentName: agentOf } = turn.capability;
  const { outcome, reason, tokensIn, tokensOut, turns: modelCalls, toolCalls, toolErrors } = ending;
  const { sandbox, network } = ending;
  const facts = {
    ...{ sandbox, network },
    ...{ turnId, agent: agentOf, sessionId, runtime, model: ending.model ?? turn.model },
    ...{ tokensIn, tokensOut, modelCalls, toolCalls, toolErrors, denied: ending.denied.length },
    cost: dollarsOf(ending.costMicrousd),
  };
  return {
    ...{ traceId, id: agent, parent: null, begin, end: now() },
    name: agentName(facts),
    kind: 'internal',
    attributes: {
      ...agentAttributes(facts, deps.findProvider),
      [SVC.project]: project,
      [SVC.depth]: depth,
      [SVC.outcome]: outcome,
      [SVC.reason]: reason,
    },
    error: errorOf(outcome, reason),
  };
}

function dollarsOf(costMicrousd: number | null): number | null {
  return costMicrousd === null ? null : costMicrousd / 1e6;
}
