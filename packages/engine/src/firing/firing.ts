import type { Runtime } from '@svc/agent-runtime';
import { failure, newId, type Redactor, type Result, sentencesOf, success } from '@svc/core';
import { PROMPT_FOLDERS, type ProjectSnapshot } from '@svc/projects';
import {
  type Capability,
  type ClientBound,
  type RunId,
  type Slug,
  type TriggerKey,
  triggerId,
} from '@svc/records';
import type { TurnOpening } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import { bounded, withBounds } from '../caller.ts';
import { budgetOf, type Definition, definitionHash, definitionOf } from '../definition.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import { notFound, type OperationError } from '../errors.ts';
import { eventOf } from '../events/event-hooks.ts';
import { costLimitsOf, createDailyCost } from '../limits/daily-cost.ts';
import { dailyLimits, spentFires } from '../limits/daily-limit.ts';
import { noteSpent, type SpentLimit } from '../limits/spent-limit.ts';
import type { Pauses } from '../pauses/pauses.ts';
import { firedCapability } from './capability.ts';
import { fireOpening, type Preparation } from './fire-opening.ts';
import type { Fired, FireRequest, FireTrigger, Stop } from './fire-request.ts';
import type { Guards } from './guards.ts';
import { noTrigger } from './no-trigger.ts';
import { overlapStop } from './overlap.ts';
import { readyRuntime, runtimeIdFor } from './ready-runtime.ts';
import { reportEnd } from './run-report.ts';
import { createEffectiveRuntime, runtimeFault } from './runtime-limits.ts';
import { DISABLED_BEFORE } from './withdrawn.ts';

export function createFiring(parts: FiringParts): FireTrigger {
  return async (request) => {
    // Redacted before it is encoded as JSON, where a secret might be escaped.
    const event = parts.redactor.deep(request.event ?? null);
    // The only exclusion between the fires of a trigger. Without it, two fires could both create the chat of a resuming
    // trigger, or both find that no other run is unfinished.
    const lock = await parts.deps.store.locks.take(`firing ${triggerId(request.key)}`);
    try {
      return await fire(parts, { ...request, event });
    } finally {
      await lock.release();
    }
  };
}

/** Dependencies of firing. */
export interface FiringParts {
  readonly deps: EngineDeps;
  readonly settings: EngineSettings;
  readonly redactor: Pick<Redactor, 'deep'>;
  readonly guards: Guards;
  readonly pauses: Pick<Pauses, 'reasonOf'>;
  /** Called with a project in which a slot waits. */
  readonly onHeld: (project: Slug) => void;
}

async function fire(
  parts: FiringParts,
  request: FireRequest,
): Promise<Result<Fired, OperationError>> {
  const { deps, settings } = parts;
  const snapshot = await deps.projects.snapshot(request.key.project);
  // An event waits while its file is temporarily unreadable.
  if (request.cause === 'event' && snapshot !== null && snapshot.file === null) {
    return failure({ code: 'conflict', message: 'project.yaml cannot be read. Fix it first.' });
  }
  const prepared =
    snapshot === null
      ? failure<Stop>({ error: notFound('project'), outcome: 'cancelled' })
      : await prepare(parts, snapshot, request);
  if (!prepared.ok && prepared.error.waits === true) return held(parts, request, prepared.error);
  if (!prepared.ok) return stopped(deps, request, prepared.error);
  const opening = await fireOpening(deps, settings, request, prepared.value);
  const opened = await open(deps, settings, opening, prepared.value.definition);
  if (opened === 'gone') {
    return failure({ code: 'conflict', message: 'The run was cancelled before it started.' });
  }
  if (opened !== 'opened') return stopped(deps, request, opened);
  const { turnId, sessionId } = opening;
  const runId = request.claimed ?? runIdOf(opening);
  deps.queue.add({ id: turnId, project: request.key.project, sessionId });
  deps.changes.publish({ kind: 'run', project: request.key.project, id: runId });
  deps.changes.publish({ kind: 'chat', project: request.key.project, id: sessionId });
  return success({ sessionId, runId });
}

async function open(
  deps: EngineDeps,
  settings: EngineSettings,
  opening: TurnOpening,
  definition: Definition,
): Promise<'opened' | 'gone' | Stop> {
  const daily = dailyLimits(definition, settings, opening.at);
  try {
    return (await deps.store.turns.open({ ...opening, daily })) ? 'opened' : 'gone';
  } catch (error) {
    const spent = spentFires(error, definition.key, daily);
    if (spent === null) throw error;
    return spentStop(spent);
  }
}

async function prepare(
  { deps, settings, pauses, guards }: FiringParts,
  snapshot: ProjectSnapshot,
  request: FireRequest,
): Promise<Result<Preparation, Stop>> {
  const { key } = request;
  const definition = snapshot.file === null ? null : definitionOf(snapshot.file, key);
  const refusal = refusalOf(request, snapshot, definition);
  if (refusal !== null) return failure(refusal);
  if (definition === null || snapshot.file === null) return failure(gone(snapshot, key));
  // Its outcome must count for this definition, even if the edit of the file was not noticed yet.
  if (definition.isGuarded) await guards.keep(key.project);
  const pause = request.cause === 'manual' ? null : await pauses.reasonOf(key);
  if (pause !== null) return failure(paused(pause));
  const overlap = await overlapStop(deps, request, definition);
  if (overlap !== null) return failure(overlap);
  const prompt = await promptOf(deps, definition);
  if (!prompt.ok) return prompt;
  const { settings: project } = snapshot.file;
  const runtimeId = runtimeIdFor(definition.run, project, settings);
  const model = definition.run.model ?? project.keeper.model ?? null;
  const runtime = await readyRuntime(deps, runtimeId, model);
  if (!runtime.ok) return failure({ error: runtime.error, outcome: 'failed' });
  const fired = capabilityOf(request, definition, project, runtime.value, settings);
  const bounds = [...(await boundsOfTrigger(deps, definition)), ...budgetOf(definition)];
  const capability = withBounds(fired, bounds);
  const limits = costLimitsOf(key.project, project, capability);
  const spent = await createDailyCost(deps, settings).refusal(runtime.value, model, limits);
  if (spent !== null) return failure(spentStop(spent));
  const fault = runtimeFault(createEffectiveRuntime(deps, settings)(definition, project));
  if (fault !== null) return failure(cannotStart(fault));
  return success({
    definition,
    runtime: runtime.value,
    prompt: prompt.value,
    capability,
    model,
    project,
  });
}

function spentStop(limit: SpentLimit): Stop {
  return {
    error: { code: 'conflict', message: limit.message },
    outcome: 'skipped_limit',
    limit,
  };
}

// However it is fired, a trigger may do no more than the client that stored it.
async function boundsOfTrigger(
  deps: EngineDeps,
  definition: Definition,
): Promise<readonly ClientBound[]> {
  const { key, record } = definition;
  return key.source === 'trigger' ? deps.store.triggers.boundsOf(key, definitionHash(record)) : [];
}

function capabilityOf(
  { caller }: FireRequest,
  definition: Definition,
  project: ProjectSettings,
  runtime: Runtime,
  settings: EngineSettings,
): Capability {
  const capability = firedCapability(definition, project, runtime, settings, caller);
  return caller === null ? capability : bounded(caller, capability);
}

function refusalOf(
  request: FireRequest,
  snapshot: ProjectSnapshot,
  definition: Definition | null,
): Stop | null {
  if (definition === null) return gone(snapshot, request.key);
  if (definition.type === 'webhook') return WEBHOOK;
  if (request.cause === 'manual') return null;
  if (!definition.enabled) return DISABLED;
  const isOther = request.cause === 'event' && eventOf(definition) !== request.event?.event;
  return isOther ? OTHER_CAUSE : null;
}

function gone(snapshot: ProjectSnapshot, key: TriggerKey): Stop {
  return { error: noTrigger(snapshot, key), outcome: 'cancelled' };
}

const WEBHOOK: Stop = {
  error: { code: 'not_runnable', message: 'Webhook triggers are reserved and cannot run yet.' },
  outcome: null,
};
const DISABLED: Stop = {
  error: { code: 'conflict', message: DISABLED_BEFORE },
  outcome: 'cancelled',
};
const OTHER_CAUSE: Stop = {
  error: {
    code: 'conflict',
    message: 'The trigger was changed and no longer fires on this event.',
  },
  outcome: 'cancelled',
};

function paused(message: string): Stop {
  return { error: { code: 'conflict', message }, outcome: 'skipped_paused' };
}

async function promptOf(deps: EngineDeps, definition: Definition): Promise<Result<string, Stop>> {
  const { prompt, key } = definition;
  if (prompt === null) return failure(cannotStart('The trigger has no prompt.'));
  if ('inline' in prompt) return success(prompt.inline);
  const read = await deps.projects.readPrompt(key.project, key.source, prompt.file);
  if (read.ok) return success(read.value);
  const file = `The prompt file ${PROMPT_FOLDERS[key.source]}/${prompt.file}`;
  return failure(cannotStart(sentencesOf(read.issues, file)));
}

function cannotStart(message: string): Stop {
  return { error: { code: 'run_failed', message }, outcome: 'failed' };
}

function runIdOf(opening: TurnOpening): RunId {
  const { run } = opening;
  if (run === null) throw new TypeError('a fire must have a run');
  return 'fresh' in run ? run.fresh.id : run.claimed;
}

async function stopped(
  deps: EngineDeps,
  request: FireRequest,
  stop: Stop,
): Promise<Result<Fired, OperationError>> {
  const { key } = request;
  const { message, code } = stop.error;
  const at = deps.clock.now();
  if (stop.limit !== undefined) await noteSpent(deps, stop.limit, request.claimed);
  if (request.claimed !== null) {
    const outcome = stop.outcome ?? 'failed';
    const ended = await deps.store.runs.endUnstarted(request.claimed, outcome, message, at);
    await reportEnd(deps, key.project, ended);
  } else if (code === 'run_failed') {
    const by = request.caller?.actor ?? null;
    const run = { id: newId(), key, cause: request.cause, by, claimedAt: at };
    await deps.store.runs.addEnded(run, 'failed', message);
    await reportEnd(deps, key.project, run.id);
  }
  deps.changes.publish({ kind: 'run', project: key.project, id: request.claimed });
  return failure(stop.error);
}

// The run stays queued and starts when it may.
function held(
  { deps, onHeld }: FiringParts,
  { key, claimed }: FireRequest,
  { error }: Stop,
): Result<Fired, OperationError> {
  deps.changes.publish({ kind: 'run', project: key.project, id: claimed });
  onHeld(key.project);
  return failure(error);
}
