import { createKeyedMutex, isoTime } from '@svc/core';
import {
  pauseSentence,
  type Run,
  type Slug,
  type TriggerKey,
  type TurnId,
  triggerId,
} from '@svc/records';
import type { NewChange, OpenTurn, PausedAll, PausedTrigger } from '@svc/store';
import { type Caller, type ChangeOrigin, originOf } from '../caller.ts';
import type { Members } from '../cluster/members.ts';
import type { EngineDeps } from '../deps.ts';

/** Pauses of all triggers and of single triggers. */
export interface Pauses {
  /** The pause of all triggers; null if there is none. */
  all(): Promise<PausedAll | null>;
  /** Pauses all triggers, or ends that with null; durable and effective when it resolves. */
  set(pause: PausedAll | null, origin: ChangeOrigin): Promise<void>;
  /** Ends the pause of a trigger, with author and, if applicable, the edit; false if it was not paused. */
  resume(key: TriggerKey, origin: ChangeOrigin, why?: string): Promise<boolean>;
  /** Why a trigger may not start now, in a sentence; null if it may. */
  reasonOf(key: TriggerKey): Promise<string | null>;
  /**
   * The same for the run of a turn, or for the run that started a turn and ended before it; null for turns of people
   * and clients.
   */
  reasonOfTurn(turn: Pick<OpenTurn, 'id' | 'project' | 'runId' | 'run'>): Promise<string | null>;
  /** The pauses of all triggers of these projects. */
  standingsIn(projects: readonly Slug[]): Promise<PauseStandings>;
}

/** The pause of a trigger. */
export interface PauseStanding {
  /** One or two sentences. */
  readonly reason: string;
  /** Its own pause, after failures; null if only all triggers are paused. */
  readonly own: PausedTrigger | null;
}

/** The pause of each trigger; null if it may start. */
export type PauseStandings = (key: TriggerKey) => PauseStanding | null;

export function createPauses(
  { store, logger, changes, clock }: Pick<EngineDeps, 'store' | 'logger' | 'changes' | 'clock'>,
  { isShared }: Pick<Members, 'isShared'>,
): Pauses {
  const line = createKeyedMutex();
  let known: PausedAll | null | undefined;
  const all = async (): Promise<PausedAll | null> => {
    // Another server may have just paused all triggers.
    if (isShared) known = await store.pausing.all();
    else if (known === undefined) {
      const read = await store.pausing.all();
      if (known === undefined) known = read;
    }
    return known ?? null;
  };
  const sentenceOfAll = async (): Promise<string | null> => {
    const pause = await all();
    return pause === null ? null : pauseSentence(pause);
  };
  const reasonOf: Pauses['reasonOf'] = async (key) =>
    (await sentenceOfAll()) ?? (await store.pausing.of(key))?.reason ?? null;
  const reasonOfLeft = async (id: TurnId): Promise<string | null> => {
    const sentence = await sentenceOfAll();
    const left = sentence === null ? null : await store.turns.leftBy(id);
    const run = left === null ? null : await store.runs.get(left.project, left.runId);
    return run === null || isAskedFor(run) ? null : sentence;
  };
  return {
    all,
    set: (pause, origin) =>
      line.run('all', async () => {
        const kind = pause === null ? 'resumed' : 'paused';
        const at = isoTime(clock.now());
        const change = pausingOf(null, { kind, at, reason: pause?.reason ?? null }, origin);
        await store.pausing.setAll(pause, change);
        known = pause;
      }),
    async resume(key, origin, why) {
      const at = isoTime(clock.now());
      const change = pausingOf(key, { kind: 'resumed', at, reason: why ?? null }, origin);
      if (!(await store.pausing.resume(key, change))) return false;
      const { project, name } = key;
      const by = why === undefined ? origin.by : 'edit';
      logger.info({ project, trigger: name, by }, 'trigger resumed');
      changes.publish({ kind: 'triggers', project, id: null });
      return true;
    },
    reasonOf,
    async reasonOfTurn({ id, project, runId, run }) {
      if (runId === null) return reasonOfLeft(id);
      if (run === null || isAskedFor(run)) return null;
      return run.cause === 'manual'
        ? sentenceOfAll()
        : reasonOf({ project, source: run.source, name: run.trigger });
    },
    async standingsIn(projects) {
      const sentence = await sentenceOfAll();
      const paused = await store.pausing.triggers(projects);
      return (key) => {
        const own = paused.get(triggerId(key)) ?? null;
        const reason = [sentence, own?.reason].filter((each) => each != null).join(' ');
        return reason === '' ? null : { reason, own };
      };
    },
  };
}

// A run that an agent requested does not count as requested by a person.
function isAskedFor({ cause, by }: Pick<Run, 'cause' | 'by'>): boolean {
  return cause === 'manual' && by !== 'keeper';
}

function pausingOf(
  key: TriggerKey | null,
  what: Pick<NewChange, 'kind' | 'at' | 'reason'>,
  origin: ChangeOrigin,
): NewChange {
  const { project = null, source = null, name: trigger = null } = key ?? {};
  const rest = { writtenAt: null, fields: [], standing: null, anchor: null };
  return { ...what, ...origin, project, source, trigger, ...rest };
}

/** Ends the pause of a trigger that an edit leaves enabled. */
export async function endPause(pauses: Pauses, caller: Caller, key: TriggerKey): Promise<void> {
  await pauses.resume(key, originOf(caller), 'It was enabled in an edit.');
}
