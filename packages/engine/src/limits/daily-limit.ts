import { localDay, SvcError } from '@svc/core';
import type { TriggerKey } from '@svc/records';
import type { DailyLimits } from '@svc/store';
import type { Definition } from '../definition.ts';
import type { EngineSettings } from '../deps.ts';
import type { SpentLimit } from './spent-limit.ts';

/** The daily start limits of a trigger and of all triggers, for the day of an instant. */
export function dailyLimits(
  { firesPerDay }: Pick<Definition, 'firesPerDay'>,
  settings: Pick<EngineSettings, 'firesPerDay'>,
  at: number,
): DailyLimits {
  return { day: localDay(at), ofTrigger: firesPerDay, ofAll: settings.firesPerDay ?? null };
}

/** The start limit that was reached; null for another error. */
export function spentFires(
  error: unknown,
  { project, name: trigger }: Pick<TriggerKey, 'project' | 'name'>,
  { ofTrigger, ofAll }: DailyLimits,
): SpentLimit | null {
  if (!(error instanceof SvcError) || error.code !== 'limit_spent') return null;
  return error.facts?.['of'] === 'trigger'
    ? spentByTrigger({ project, trigger }, ofTrigger)
    : spentByAll(ofAll);
}

/** The limit of a trigger was reached. */
export function spentByTrigger(
  { project, trigger }: { readonly project: string; readonly trigger: string },
  ofTrigger: number | null,
): SpentLimit {
  const message = `Daily limit reached: ${runs(ofTrigger)} today (policy.firesPerDay). The trigger can fire again tomorrow.`;
  return { name: 'policy.firesPerDay', project, trigger, message };
}

/** The limit of the instance was reached. */
export function spentByAll(ofAll: number | null): SpentLimit {
  const message = `Daily limit of this instance reached: ${runs(ofAll)} today (limits.firesPerDay). Triggers can fire again tomorrow.`;
  return { name: 'limits.firesPerDay', project: null, trigger: null, message };
}

function runs(count: number | null): string {
  return count === 1 ? '1 run' : `${count} runs`;
}
