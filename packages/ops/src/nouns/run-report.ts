import type { Cause, Run, RunId, RunOutcome, Slug } from '@svc/records';
import type { MissedSlots } from '@svc/scheduler';
import type { OpsDeps } from '../deps.ts';

type ReportDeps = Pick<OpsDeps, 'store' | 'logger' | 'observer'>;

interface EndedRun {
  readonly project: Slug;
  readonly trigger: string;
  readonly runId: RunId;
  readonly cause: Cause;
  readonly outcome: RunOutcome;
  readonly reason: string | null;
  /** From the start of its turn to its end; null when it had none. */
  readonly durationMs: number | null;
  /** From its slot to its claim; null when it had none. */
  readonly lateMs: number | null;
  readonly turns: number;
}

const LONGEST_REASON = 1000;

/** Tells the log that the turn of a run has started. It never fails. */
export async function reportStart(deps: ReportDeps, project: Slug, runId: RunId): Promise<void> {
  const run = await readRun(deps, project, runId);
  if (run === null) return;
  const { trigger, cause, lateMs } = run;
  deps.logger.debug({ project, trigger, runId, cause, lateMs }, 'a run has started');
}

/** Tells log and figures how a run has ended, as its record says. It never fails. */
export async function reportEnd(deps: ReportDeps, project: Slug, runId: RunId): Promise<void> {
  const run = await readRun(deps, project, runId);
  if (run === null || run.outcome === null) return;
  const { trigger, cause, outcome, reason, lateMs, turns } = run;
  const durationMs =
    run.startedAt === null || run.endedAt === null
      ? null
      : Date.parse(run.endedAt) - Date.parse(run.startedAt);
  const ended = { project, trigger, runId, cause, outcome, reason, durationMs, lateMs, turns };
  report(deps, ended, run.slotCount);
}

/** Tells log and figures of slots that passed without a fire. */
export function reportMissed(deps: ReportDeps, missed: readonly MissedSlots[]): void {
  for (const { key, runId, lateMs, reason, count } of missed) {
    const { project, name: trigger } = key;
    const none = { cause: 'schedule', outcome: 'missed', durationMs: null, turns: 0 } as const;
    report(deps, { project, trigger, runId, ...none, reason, lateMs }, count);
  }
}

function report(deps: ReportDeps, ended: EndedRun, slots: number): void {
  const { project, trigger, outcome } = ended;
  const level = outcome === 'succeeded' ? 'info' : 'warn';
  const reason = ended.reason?.slice(0, LONGEST_REASON) ?? null;
  const several = slots > 1 ? { slots } : {};
  deps.logger[level]({ ...ended, reason, ...several }, 'a run has ended');
  deps.observer?.ended({ project, trigger, outcome });
}

// The record is written by now, so that not being able to read it back spoils nothing but the line.
async function readRun(deps: ReportDeps, project: Slug, runId: RunId): Promise<Run | null> {
  return deps.store.runs.get(project, runId).catch(() => {
    deps.logger.warn({ project, runId }, 'the record of a run could not be read for the log');
    return null;
  });
}
