import type { TurnOutcome } from '@svc/records';
import { oneLine } from './messages.ts';

/** The progress of a turn that decides its outcome. */
export interface TurnProgress {
  /** Tool calls, including refused ones. */
  calls: number;
  /** The last text; null for none. */
  words: string | null;
  /** The last refused call, as one sentence, until a later call succeeds. */
  refused: string | null;
}

/** Records the result of a call. `text` is the result that the agent got. */
export function noteAnswer(
  progress: TurnProgress,
  tool: string,
  became: 'ok' | 'error' | 'refused',
  text: string,
): void {
  if (became === 'refused') progress.refused = `${tool} was refused: ${oneLine(text)}`;
  if (became === 'ok') progress.refused = null;
}

/**
 * The outcome of a turn whose agent is done: `failed` if it produced no text and no calls, `denied` if a call was
 * refused and none succeeded after it, else `succeeded`.
 */
export function closeOf(progress: TurnProgress): {
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
} {
  if (progress.words === null && progress.calls === 0) {
    return { outcome: 'failed', reason: 'The turn produced no output.' };
  }
  return progress.refused === null
    ? { outcome: 'succeeded', reason: null }
    : { outcome: 'denied', reason: progress.refused };
}
