import { sentencesOf } from '@svc/core';
import { validateTrigger } from '@svc/trigger-schema';

/** Why a trigger cannot have this cron expression or time zone, in full sentences; null if it can. */
export function scheduleFault(cron: string, timezone: string | null): string | null {
  const trigger = { type: 'schedule', cron, ...(timezone === null ? {} : { timezone }) };
  const judged = validateTrigger({ trigger, run: { prompt: 'Nothing.' }, enabled: false });
  return judged.ok ? null : sentencesOf(judged.issues, 'It');
}
