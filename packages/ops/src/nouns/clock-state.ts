import { isoTime } from '@svc/core';
import type { ClockState } from '@svc/scheduler';
import type { TriggerClockState } from '../trigger-results.ts';

/** How a trigger stands whose clock was set back, with a sentence. */
export function clockStateOf({ aheadUntil, silentUntil, canGoOn }: ClockState): TriggerClockState {
  const until = isoTime(aheadUntil);
  const goesOn = silentUntil === null ? null : isoTime(silentUntil);
  const way = canGoOn ? 'Resume has it go on one period from then.' : 'Run now runs it at once.';
  const message =
    goesOn === null
      ? `The clock was ahead and was set back: those of its slots up to ${until} that have run are passed over.`
      : `The clock was ahead and was set back: its next slots have run already, and none runs twice. It goes on at ${goesOn}. ${way}`;
  return { aheadUntil: until, silentUntil: goesOn, canGoOn, message };
}
