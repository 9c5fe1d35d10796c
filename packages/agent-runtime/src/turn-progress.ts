import type { TurnOutcome } from '@svc/records';
import { oneLine } from './messages.ts';

/** What a turn has done so far, as far as its outcome depends on it. */
export interface TurnProgress {
  /** Tool calls made, refused ones too. */
  calls: number;
  /** The last words; null where there were none. */
  words: string | null;
  /** The last refused call, as one sentence, while no later call has succeeded. */
  refused: string | null;
}

/** Takes note of what became of a call; `text` is what the agent was told. */
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
 * How a turn ends whose agent has nothing left to do: `failed` where it neither said nor called anything, `denied` where
 * a call was refused and none has succeeded since, else `succeeded`.
 */
export function closeOf(progress: TurnProgress): {
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
} {
  if (progress.words === null && progress.calls === 0) {
    return { outcome: 'failed', reason: 'The turn produced nothing.' };
  }
  return progress.refused === null
    ? { outcome: 'succeeded', reason: null }
    : { outcome: 'denied', reason: progress.refused };
}
