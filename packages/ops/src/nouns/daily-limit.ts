import { localDay, SvcError } from '@svc/core';
import type { DailyLimits } from '@svc/store';
import type { WorkSettings } from '../deps.ts';
import type { Definition } from './definition.ts';

/** How often a trigger may be started on the day of an instant, and all of them together. */
export function dailyLimits(
  { firesPerDay }: Pick<Definition, 'firesPerDay'>,
  settings: Pick<WorkSettings, 'firesPerDay'>,
  at: number,
): DailyLimits {
  return { day: localDay(at), ofTrigger: firesPerDay, ofAll: settings.firesPerDay ?? null };
}

/** What to say of a fire that a daily limit does not let start; null for another error. */
export function spentLimit(error: unknown, { ofTrigger, ofAll }: DailyLimits): string | null {
  if (!(error instanceof SvcError) || error.code !== 'limit_spent') return null;
  return error.facts?.['of'] === 'trigger'
    ? `It has been started ${times(ofTrigger)} today, as often as its policy.firesPerDay lets it; it goes on tomorrow.`
    : `Triggers have been started ${times(ofAll)} today, as often as limits.firesPerDay of this instance lets them; they go on tomorrow.`;
}

function times(count: number | null): string {
  return count === 1 ? 'once' : `${count} times`;
}
