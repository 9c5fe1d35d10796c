import type { Runtime } from '@svc/agent-runtime';
import type { ProjectSnapshot } from '@svc/projects';
import type { OpenTurn, TurnEnding } from '@svc/store';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import { capabilityFault, isLimited } from '../firing/runtime-limits.ts';
import { withdrawnEnding } from '../firing/withdrawn.ts';
import { costLimitsOf, createDailyCost } from '../limits/daily-cost.ts';
import { noteSpent } from '../limits/spent-limit.ts';
import type { Pauses } from '../pauses/pauses.ts';
import { retryWrite } from './retry-write.ts';
import type { SelfTests } from './self-tests.ts';
import { endingWith } from './turn-end.ts';

/** Dependencies of the check. */
export interface StartParts {
  readonly deps: EngineDeps;
  readonly settings: EngineSettings;
  readonly selfTests: SelfTests;
  readonly pauses: Pick<Pauses, 'reasonOfTurn'>;
}

/** What a turn starts with. */
export interface Startable {
  /** Its project; null if the folder no longer exists. */
  readonly snapshot: ProjectSnapshot | null;
  /** What it may cost today, in millionths of a US dollar; null if it is not limited. */
  readonly costMicrousd: number | null;
}

async function pauseOf(
  { deps, pauses }: StartParts,
  turn: OpenTurn,
  signal: AbortSignal,
): Promise<TurnEnding | null> {
  const reason = await retryWrite(deps, () => pauses.reasonOfTurn(turn), signal);
  return reason === null ? null : endingWith('skipped_paused', reason);
}

/**
 * Whether a turn may start now; if not, the end that it gets instead. `interrupted` if it stays queued for the next
 * process.
 */
export async function startCheck(
  parts: StartParts,
  turn: OpenTurn,
  signal: AbortSignal,
): Promise<Startable | { readonly blockedBy: TurnEnding } | 'interrupted'> {
  const { deps, settings } = parts;
  const { capability, project, model } = turn;
  const paused = await pauseOf(parts, turn, signal);
  if (paused !== null) return { blockedBy: paused };
  const snapshot = await retryWrite(deps, () => deps.projects.snapshot(project), signal);
  const withdrawn = withdrawnEnding(snapshot, turn);
  if (withdrawn !== null) return { blockedBy: withdrawn };
  const runtime = deps.runtimes.get(turn.runtime);
  if (runtime === undefined) return { snapshot, costMicrousd: null };
  const fault = capabilityFault(capability, runtime);
  if (fault !== null) return { blockedBy: endingWith('failed', fault) };
  const limits = costLimitsOf(project, snapshot?.file?.settings ?? null, capability);
  const cost = createDailyCost(deps, settings);
  const { spent, left } = await retryWrite(
    deps,
    () => cost.remaining(runtime, model, limits),
    signal,
  );
  if (spent !== null) {
    await retryWrite(deps, () => noteSpent(deps, spent, turn.runId), signal);
    return { blockedBy: endingWith('skipped_limit', spent.message) };
  }
  const inherited = snapshot?.file?.settings.maxSpawnDepth ?? settings.maxSpawnDepth;
  const isTested = runtime.selfTest !== undefined && isLimited(capability, inherited);
  const blockedBy = isTested ? await untestedEnding(parts, turn, runtime, signal) : null;
  if (blockedBy === 'interrupted') return blockedBy;
  return blockedBy === null ? { snapshot, costMicrousd: left } : { blockedBy };
}

/** The end of a turn whose runtime did not pass its self-test; null if it passed. */
async function untestedEnding(
  parts: StartParts,
  turn: OpenTurn,
  runtime: Runtime,
  signal: AbortSignal,
): Promise<TurnEnding | 'interrupted' | null> {
  const pass = await parts.selfTests.pass(runtime, signal);
  if ('reason' in pass) return endingWith('failed', pass.reason);
  if (!pass.may && pass.stop.kind === 'interrupted') return 'interrupted';
  // The test takes a while, during which a pause of all triggers may have begun, and may have stopped the turn.
  const paused = await pauseOf(parts, turn, signal);
  if (paused !== null || pass.may) return paused;
  return endingWith(pass.stop.kind, pass.stop.reason);
}
