import { createKeyedLine } from '@svc/core';
import { type Slug, type TriggerKey, triggerId } from '@svc/records';
import type { OpenTurn, PausedAll } from '@svc/store';
import type { OpsDeps } from '../deps.ts';

/** What keeps triggers from starting by themselves. */
export interface Pauses {
  /** Whether everything is paused, as far as it is known yet. */
  readonly isOn: boolean;
  /** The pause of everything; null while there is none. */
  all(): Promise<PausedAll | null>;
  /** Pauses everything, or ends that with null; durable, and in force, when it resolves. */
  set(pause: PausedAll | null): Promise<void>;
  /** Why a trigger does not start by itself now, in a sentence; null where it may. */
  reasonOf(key: TriggerKey): Promise<string | null>;
  /** The same for the run that a turn is of; null for one that somebody asked for. */
  reasonOfTurn(turn: Pick<OpenTurn, 'project' | 'runId'>): Promise<string | null>;
  /** The same for all triggers of these projects. */
  reasonsIn(projects: readonly Slug[]): Promise<PauseReasons>;
}

/** Why triggers do not start by themselves, in a sentence; null for those that may. */
export type PauseReasons = (key: TriggerKey) => string | null;

export function createPauses({ store }: Pick<OpsDeps, 'store'>): Pauses {
  const line = createKeyedLine();
  let known: PausedAll | null | undefined;
  const all = async (): Promise<PausedAll | null> => {
    if (known === undefined) {
      const read = await store.pausing.all();
      if (known === undefined) known = read;
    }
    return known;
  };
  const reasonOf: Pauses['reasonOf'] = async (key) => {
    const pause = await all();
    if (pause !== null) return pauseSentence(pause);
    return (await store.pausing.of(key))?.reason ?? null;
  };
  return {
    get isOn() {
      return (known ?? null) !== null;
    },
    all,
    set: (pause) =>
      line.run('all', async () => {
        await store.pausing.setAll(pause);
        known = pause;
      }),
    reasonOf,
    async reasonOfTurn({ project, runId }) {
      const run = runId === null ? null : await store.runs.get(project, runId);
      if (run === null || run.cause === 'manual') return null;
      return reasonOf({ project, source: run.source, name: run.trigger });
    },
    async reasonsIn(projects) {
      const pause = await all();
      if (pause !== null) return () => pauseSentence(pause);
      const paused = await store.pausing.triggers(projects);
      return (key) => paused.get(triggerId(key))?.reason ?? null;
    },
  };
}

/** The pause of everything in a sentence, with why. */
export function pauseSentence({ by, reason }: PausedAll): string {
  const who = `Everything was paused by ${by}`;
  if (reason === null) return `${who}.`;
  return /[.!?]$/.test(reason) ? `${who}: ${reason}` : `${who}: ${reason}.`;
}
