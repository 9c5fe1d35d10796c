import { isoTime } from '@svc/core';
import type { ProjectStanding } from './standings.ts';

/** Number of triggers and legacy schedules of a project that need attention, and its next fire. */
export interface ProjectHealth {
  /** Entries of `triggers`, valid or not. */
  readonly total: number;
  /**
   * Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or
   * limited.
   */
  readonly needYou: number;
  /** Legacy schedules that need attention. */
  readonly legacyNeedYou: number;
  /** Enabled, and the newest turn failed; later missed and skipped slots are ignored. */
  readonly failing: number;
  /** Invalid entries, plus one for a file that cannot be read. */
  readonly invalid: number;
  readonly paused: number;
  /** Enabled, but every run would currently fail: see `problem` of the entry. */
  readonly unready: number;
  /** Enabled, but stopped for today by a daily limit. */
  readonly limited: number;
  /** With a running turn. */
  /** Enabled, but waiting because the clock was set back and its next slots have already run. */
  readonly silent: number;
  readonly running: number;
  /** Enabled, and a slot was missed in the last 24 hours. */
  readonly missed24h: number;
  readonly armed: number;
  readonly nextFire: string | null;
}

/** Counts the states of the entries of a project. */
export function healthOf({ triggers, invalid, running }: ProjectStanding): ProjectHealth {
  const count = (is: (one: ProjectStanding['triggers'][number]) => boolean): number =>
    triggers.filter(is).length;
  const entries = [
    ...invalid.map(({ source }) => ({ source, isInNeed: true })),
    ...triggers.map(({ definition, attention }) => {
      return { source: definition.key.source, isInNeed: attention.length > 0 };
    }),
  ];
  const needing = entries.filter(({ isInNeed }) => isInNeed);
  const fires = triggers.flatMap(({ nextFire }) => nextFire ?? []);
  return {
    total: entries.filter(({ source }) => source === 'trigger').length,
    needYou: needing.filter(({ source }) => source === 'trigger').length,
    legacyNeedYou: needing.filter(({ source }) => source === 'schedule').length,
    failing: count(({ isFailing }) => isFailing),
    missed24h: count(({ hasMissed }) => hasMissed),
    paused: count(({ pause }) => pause !== null),
    unready: count(({ fault }) => fault !== null),
    limited: count(({ limit }) => limit !== null),
    silent: count(({ definition, isSilent }) => definition.enabled && isSilent),
    armed: count(({ armed }) => armed),
    nextFire: fires.length === 0 ? null : isoTime(fires.reduce((a, b) => Math.min(a, b))),
    invalid: invalid.length,
    running,
  };
}
