import { sentencesOf } from '@svc/core';
import { validateTrigger } from '@svc/trigger-schema';

/** Why an expression, or its time zone, is none that a trigger may have, in sentences; null where it may. */
export function scheduleFault(cron: string, timezone: string | null): string | null {
  const trigger = { type: 'schedule', cron, ...(timezone === null ? {} : { timezone }) };
  const judged = validateTrigger({ trigger, run: { prompt: 'Nothing.' }, enabled: false });
  return judged.ok ? null : sentencesOf(judged.issues, 'It');
}
