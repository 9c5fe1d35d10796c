import { isoTime } from '@svc/core';
import type { ClockState } from '@svc/scheduler';
import type { FromSchema } from '@svc/schema';
import { exactly, flag, text, time, timeOrNull } from '../common.schema.ts';

export const clockStateSchema = {
  ...exactly({
    aheadUntil: { ...time, description: 'The last decided slot.' },
    silentUntil: {
      ...timeOrNull,
      description:
        'When it fires again, if its next slots have already run; null if it fires at its next slot.',
    },
    canResume: { ...flag, description: 'Whether resume_trigger makes it fire sooner.' },
    message: text,
  }),
  description: 'Present if the clock was set back and slots in the future were already decided.',
} as const;

/** The state of a trigger whose clock was set back. Instants are UTC ISO text. */
export type TriggerClockState = FromSchema<typeof clockStateSchema>;

/** The state of a trigger whose clock was set back, with a sentence. */
export function clockStateOf({
  aheadUntil,
  silentUntil,
  canResume,
}: ClockState): TriggerClockState {
  const until = isoTime(aheadUntil);
  const goesOn = silentUntil === null ? null : isoTime(silentUntil);
  const way = canResume
    ? 'Resume it to continue one period from now.'
    : 'Use Run now to fire it at once.';
  const message =
    goesOn === null
      ? `The clock was ahead and was set back: slots up to ${until} that already ran do not run again.`
      : `The clock was ahead and was set back: its next slots already ran and do not run again. It fires again at ${goesOn}. ${way}`;
  return { aheadUntil: until, silentUntil: goesOn, canResume, message };
}
