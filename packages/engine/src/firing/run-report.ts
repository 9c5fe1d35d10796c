import { abridged } from '@svc/core';
import {
  type Cause,
  FAILURE_OUTCOMES,
  type Run,
  type RunId,
  type RunOutcome,
  type Slug,
} from '@svc/records';
import type { MissedSlots } from '@svc/scheduler';
import type { EndedTurn, OpenTurn } from '@svc/store';
import type { EngineDeps } from '../deps.ts';

type ReportDeps = Pick<EngineDeps, 'store' | 'logger' | 'observer' | 'tracer'>;

interface RunReport {
  readonly project: Slug;
  readonly trigger: string;
  readonly runId: RunId;
  readonly cause: Cause;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  /** Duration of its turn; null if it had none. */
  readonly durationMs: number | null;
  /** Time from its slot to its claim; null without a slot. */
  readonly lateMs: number | null;
  readonly turns: number;
  /** Name of the person who fired it, if known. */
  readonly person?: string;
}

const LONGEST_REASON = 1000;

/** Logs the start of the turn of a run. */
export function reportStart(
  deps: Pick<EngineDeps, 'logger'>,
  { project, runId, run }: Pick<OpenTurn, 'project' | 'runId' | 'run'>,
): void {
  if (run === null) return;
  const { trigger, cause, lateMs } = run;
  deps.logger.debug({ project, trigger, runId, cause, lateMs }, 'run started');
}

/** Logs and counts the end of a run, from its record. Never fails. */
export async function reportEnd(deps: ReportDeps, project: Slug, runId: RunId): Promise<void> {
  const run = await readRun(deps, project, runId);
  if (run !== null) await reportEnded(deps, { run, endsPause: false });
}

/** The same for the run of a turn, and whether it ended a pause. */
export async function reportEnded(
  deps: ReportDeps,
  { run, endsPause }: Pick<EndedTurn, 'endsPause'> & { readonly run: Run },
): Promise<void> {
  if (run.outcome === null) return;
  const { project, id: runId } = run;
  const { trigger, cause, outcome, reason, lateMs, turns } = run;
  const durationMs =
    run.startedAt === null || run.endedAt === null
      ? null
      : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  const person = run.person === null ? {} : { person: run.person };
  const ended = { project, trigger, runId, cause, outcome, reason, durationMs, lateMs, turns };
  report(deps, { ...ended, ...person }, run.slotCount);
  deps.tracer?.ended(run);
  if (endsPause) deps.logger.info({ project, trigger, by: 'success' }, 'trigger resumed');
  await reportPause(deps, run);
}

/** Logs and counts missed slots. */
export function reportMissed(deps: ReportDeps, missed: readonly MissedSlots[]): void {
  for (const { key, runId, lateMs, reason, count } of missed) {
    const { project, name: trigger } = key;
    const none = { cause: 'schedule', outcome: 'missed', durationMs: null, turns: 0 } as const;
    report(deps, { project, trigger, runId, ...none, reason, lateMs }, count);
  }
}

// Repeated skips are logged only once at a visible level: a trigger of 1 s that is paused for a week would fill the
// log.
function levelOf(outcome: RunReport['outcome'], slots: number): 'debug' | 'info' | 'warn' {
  if (outcome === 'succeeded') return 'info';
  return outcome.startsWith('skipped_') && slots > 1 ? 'debug' : 'warn';
}

function report(deps: ReportDeps, ended: RunReport, slots: number): void {
  const { project, trigger, outcome } = ended;
  const level = levelOf(outcome, slots);
  const reason = ended.reason === null ? null : abridged(ended.reason, LONGEST_REASON);
  const several = slots > 1 ? { slots } : {};
  deps.logger[level]({ ...ended, reason, ...several }, 'run ended');
  deps.observer?.ended({ project, trigger, outcome });
}

const FAILURES: readonly RunOutcome[] = FAILURE_OUTCOMES;

async function reportPause({ store, logger }: ReportDeps, run: Run): Promise<void> {
  if (run.outcome === null || !FAILURES.includes(run.outcome)) return;
  const { project, trigger, source, endedAt } = run;
  const paused = await store.pausing.of({ project, source, name: trigger }).catch(() => null);
  if (paused?.at !== endedAt) return;
  logger.warn({ project, trigger, reason: paused.reason }, 'trigger paused');
}

// The record is already stored, so a failure to read it affects only the log line.
async function readRun(deps: ReportDeps, project: Slug, runId: RunId): Promise<Run | null> {
  return deps.store.runs.get(project, runId).catch(() => {
    deps.logger.warn({ project, runId }, 'cannot read run for the log');
    return null;
  });
}
