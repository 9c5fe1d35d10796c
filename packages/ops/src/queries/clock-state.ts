import { isoTime } from '@svc/core';
import type { ClockState } from '@svc/scheduler';

/** The state of a trigger whose clock was set back. Instants are UTC ISO text. */
export interface TriggerClockState {
  /** The last decided slot. */
  readonly aheadUntil: string;
  /** When it fires again, if its next slots have already run; null if it fires at its next slot. */
  readonly silentUntil: string | null;
  /** Whether `resume_trigger` ends that silence. */
  readonly canResume: boolean;
  /** The same in one or two sentences. */
  readonly message: string;
}

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
