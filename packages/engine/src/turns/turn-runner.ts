import {
  type AskedModel,
  type Runtime,
  type Toolset,
  type TurnEnd,
  type TurnSpec,
  TurnStop,
  type TurnUse,
} from '@svc/agent-runtime';
import { messageOf, type Redactor, textFault } from '@svc/core';
import type { TurnId } from '@svc/records';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import { networkOf } from '../caller.ts';
import { type FinishedTurn, finishCurator, isCuratorTurn } from '../curator/finish-curator.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import { instructionsFor, instructionsNotice } from '../firing/instructions.ts';
import { reportStart } from '../firing/run-report.ts';
import { costLimitsOf, createDailyCost } from '../limits/daily-cost.ts';
import { noteSpent } from '../limits/spent-limit.ts';
import type { TurnTracer } from '../tracing.ts';
import { type AnswerText, createAnswerText } from './answer-text.ts';
import { keptText } from './clean-store.ts';
import { createReportedFailure } from './reported-failure.ts';
import { isUnavailable, retryWrite, type Until } from './retry-write.ts';
import { createServiceFault, interruptedBy, type ServiceFault } from './service-fault.ts';
import { type Startable, type StartParts, startCheck } from './start-check.ts';
import { createTranscript } from './transcript.ts';
import { announce, endingWith, endTurn } from './turn-end.ts';
import { stopAfter } from './turn-stop.ts';

/** Runs one queued turn to its end and stores the result; called by the queue. */
export type RunTurn = (id: TurnId, signal: AbortSignal) => Promise<void>;

/** The operations that a turn has as tools; null if it has none, or if the settings of its project cannot be read. */
type ToolsetOf = (turn: OpenTurn, project: ProjectSettings | null) => Toolset | null;

export function createTurnRunner(parts: TurnRunnerParts): RunTurn {
  const { deps } = parts;
  return async (id, signal) => {
    const until = {
      // The end of a stopped turn is still stored, as long as the service is running.
      get aborted() {
        return signal.aborted && parts.closing.aborted;
      },
    };
    const turn = await retryWrite(deps, () => deps.store.turns.get(id), signal);
    if (turn === null) return;
    if (turn.cancelRequested) {
      const ending = endingWith('cancelled', 'Cancelled before it started.');
      await endTurn(deps, turn, ending, until);
      return;
    }
    const check = await startCheck(parts, turn, signal);
    if (check === 'interrupted') return;
    if ('blockedBy' in check) {
      await endTurn(deps, turn, check.blockedBy, until);
      return;
    }
    const { nodeId, turns } = deps.store;
    const start = () => {
      const at = deps.clock.now();
      return turns.start(id, at, at + turn.timeoutMs, nodeId);
    };
    const started = await retryWrite(deps, start, signal);
    if (!started) return;
    reportStart(deps, turn);
    announce(deps, turn);
    const trace = deps.tracer?.follow(turn);
    const { ending, notices } = await runToEnd(
      { ...parts, ...check, trace, until },
      turn,
      signal,
    ).catch((error: unknown) => ({ ending: brokenOff(error), notices: [] }));
    trace?.ended(ending);
    await endTurn(deps, turn, ending, until, notices);
  };
}

function brokenOff(error: unknown): TurnEnding {
  return endingWith(
    isUnavailable(error) ? 'interrupted' : 'failed',
    interruptedBy(messageOf(error)),
  );
}

interface TurnParts extends TurnRunnerParts, Startable {
  /** The trace of this turn, if there is one. */
  readonly trace: TurnTracer | undefined;
  readonly until: Until;
}

/** Dependencies of running turns. */
export interface TurnRunnerParts extends StartParts {
  readonly toolsetOf: ToolsetOf;
  readonly redactor: Redactor;
  /** Aborted when the service stops, before its turns are. */
  readonly closing: AbortSignal;
}

async function runToEnd(
  parts: TurnParts,
  turn: OpenTurn,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const { deps, settings, toolsetOf, redactor, trace, snapshot, costMicrousd } = parts;
  const runtime = deps.runtimes.get(turn.runtime);
  if (runtime === undefined) {
    return unstarted(`This instance has no runtime ${turn.runtime}.`);
  }
  if (snapshot === null) return unstarted('The project folder no longer exists.');
  const stop = stopAfter(deps, turn.timeoutMs, signal);
  const fault = createServiceFault(deps, stop.signal);
  try {
    const project = snapshot.file?.settings ?? null;
    const instructions = keptText(redactor, instructionsFor(turn.capability, project));
    await instruct(deps, turn, instructions, fault);
    const toolset = fault.tools(toolsetOf(turn, project));
    const cost = createDailyCost(deps, settings);
    const costLimits = costLimitsOf(turn.project, project, turn.capability);
    const limits = { maxTurns: turn.capability.maxTurns, costMicrousd };
    const onUsage = async (used: TurnUse): Promise<void> => {
      const spent = await fault.keep(() => cost.keep(turn.id, countsOf(used), costLimits));
      if (spent === null) return;
      await fault.keep(() => noteSpent(deps, spent, turn.runId));
      const reason = `The turn was stopped. ${spent.message}`;
      stop.end(new TurnStop('failed', reason));
    };
    // The list of the project may have become narrower since the chat began.
    const network = networkOf([turn.capability.network, project?.network]);
    const spec = {
      ...specOf(deps, turn, snapshot.folder, settings),
      capability: { ...turn.capability, ...network },
      ...{ instructions, toolset, limits, onUsage },
      history: () => fault.keep(() => deps.store.chats.history(turn.sessionId, MOST_HISTORY_BYTES)),
      ...(trace && { onModelCall: askedOf(trace, redactor) }),
    };
    const followed = { ...parts, fault };
    if (!isCuratorTurn(turn)) return await follow(followed, runtime, spec, stop.signal);
    const answer = createAnswerText(redactor);
    const { ending } = await follow(followed, runtime, spec, stop.signal, answer);
    return await finishCurator(deps, turn, answer.text(), ending);
  } finally {
    stop.clear();
  }
}

function askedOf(trace: TurnTracer, redactor: Redactor): (call: AskedModel) => void {
  return (call) =>
    trace.asked({ ...call, error: call.error === null ? null : redactor.text(call.error) });
}

function unstarted(reason: string): FinishedTurn {
  return { ending: endingWith('failed', reason), notices: [] };
}

function specOf(
  deps: EngineDeps,
  turn: OpenTurn,
  folder: string,
  settings: EngineSettings,
): Omit<TurnSpec, 'toolset' | 'instructions' | 'limits' | 'history'> {
  const marks = turn.runId === null ? {} : { SVC_RUN_ID: turn.runId };
  return {
    turnId: turn.id,
    runId: turn.runId,
    sessionId: turn.sessionId,
    project: turn.project,
    cwd: folder,
    prompt: { author: turn.prompt, ...(turn.context !== null && { data: turn.context }) },
    capability: turn.capability,
    depth: turn.depth,
    model: turn.model,
    resume: turn.resume,
    env: {
      ...settings.agentEnv,
      ...deps.tracer?.environment(turn),
      SVC_TURN_ID: turn.id,
      ...marks,
    },
  };
}

const MOST_HISTORY_BYTES = 1024 * 1024;

// Instructions are added to the chat once, as long as they do not change.
async function instruct(
  deps: EngineDeps,
  { id: turnId, sessionId, project }: OpenTurn,
  text: string,
  fault: ServiceFault,
): Promise<void> {
  const instructions = { turnId, sessionId, notice: instructionsNotice(text) };
  const write = () => deps.store.turns.instruct(instructions, deps.clock.now());
  if (await fault.keep(write)) {
    deps.changes.publish({ kind: 'chat', project, id: sessionId });
  }
}

async function follow(
  { deps, redactor, trace, until, fault }: TurnParts & { readonly fault: ServiceFault },
  runtime: Runtime,
  spec: TurnSpec,
  signal: AbortSignal,
  answer?: AnswerText,
): Promise<FinishedTurn> {
  const transcript = createTranscript(deps, spec, redactor, until);
  const reported = createReportedFailure();
  let end: TurnEnd | null = null;
  let broken: string | null = null;
  try {
    for await (const event of runtime.start(spec, signal)) {
      if (event.type === 'message') {
        transcript.add(event.message);
        trace?.said(event.message, event.within ?? null);
        answer?.add(event.message);
        reported.add(event);
      } else if (event.type === 'session') await keepSession(deps, spec, event.ref, fault);
      else if (event.type === 'ended') end = event.end;
    }
  } catch (error) {
    broken = messageOf(error);
    deps.logger.error({ turnId: spec.turnId, error: broken }, 'runtime stopped unexpectedly');
  }
  // The answer of a curator is stored before files are written.
  if (answer !== undefined) await transcript.settled();
  const notices = await transcript.rest();
  if (end !== null && broken === null) {
    const { sandbox = null, network = null } = end;
    const ending = reported.ending({ ...end, ...countsOf(end), sandbox, network });
    return { ending: fault.judge(ending), notices };
  }
  const reason = `The ${runtime.id} runtime stopped unexpectedly${broken ? `: ${broken}` : '.'}`;
  return { ending: fault.judge(endingWith('failed', reason)), notices };
}

// Larger values are invented, and would make sums unusable.
const MOST_COUNTED = 1e12;

function countsOf(use: TurnUse): TurnUse {
  const count = (value: number | null): number | null =>
    value !== null && value >= 0 && value <= MOST_COUNTED ? Math.round(value) : null;
  return {
    tokensIn: count(use.tokensIn),
    tokensOut: count(use.tokensOut),
    costMicrousd: count(use.costMicrousd),
  };
}

const LONGEST_REF = 1000;

async function keepSession(
  deps: EngineDeps,
  { turnId, sessionId }: TurnSpec,
  ref: string,
  fault: ServiceFault,
): Promise<void> {
  if (ref.length > LONGEST_REF || textFault(ref) !== null) {
    deps.logger.warn({ turnId, length: ref.length }, 'session reference too long, not stored');
    return;
  }
  await fault.keep(() => deps.store.chats.setRuntimeRef(sessionId, ref));
}
