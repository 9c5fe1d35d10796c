import type { Outcome, Run } from '../data/api-types.ts';

/** The five tones of states; each has a colour and an icon. */
export type Tone = 'ok' | 'run' | 'warn' | 'bad' | 'idle';

/** A state for display: a word and a tone. */
export interface StateLabel {
  readonly word: string;
  readonly tone: Tone;
}

const OUTCOMES: Readonly<Record<Outcome, StateLabel>> = {
  succeeded: { word: 'Succeeded', tone: 'ok' },
  failed: { word: 'Failed', tone: 'bad' },
  timed_out: { word: 'Timed out', tone: 'bad' },
  max_turns: { word: 'Call limit reached', tone: 'bad' },
  denied: { word: 'Denied', tone: 'bad' },
  no_model: { word: 'No model', tone: 'bad' },
  interrupted: { word: 'Interrupted', tone: 'warn' },
  missed: { word: 'Missed', tone: 'warn' },
  skipped_limit: { word: 'Daily limit', tone: 'warn' },
  skipped_overlap: { word: 'Skipped', tone: 'idle' },
  skipped_paused: { word: 'Skipped', tone: 'idle' },
  cancelled: { word: 'Cancelled', tone: 'idle' },
};

/** The state of a run for display. */
export function stateLabelOf({ state, outcome }: Pick<Run, 'state' | 'outcome'>): StateLabel {
  if (outcome !== null) return OUTCOMES[outcome];
  return { word: state === 'queued' ? 'Queued' : 'Running', tone: 'run' };
}

/** The outcome words, each with the outcomes that it covers. */
export function outcomeWords(): ReadonlyMap<string, readonly Outcome[]> {
  const words = new Map<string, Outcome[]>();
  for (const outcome of Object.keys(OUTCOMES) as Outcome[]) {
    const { word } = OUTCOMES[outcome];
    words.set(word, [...(words.get(word) ?? []), outcome]);
  }
  return words;
}

/** Whether a run was skipped because of another run, a pause or a limit. */
export function isSkip({ outcome }: Pick<Run, 'outcome'>): boolean {
  return outcome?.startsWith('skipped_') ?? false;
}
