import { isoTime } from '@svc/core';
import type { FromSchema } from '@svc/schema';
import { count, exactly, timeOrNull } from '../common.schema.ts';
import type { ProjectStanding } from './standings.ts';

export const healthSchema = {
  $id: 'ProjectHealth',
  description: 'Number of triggers and legacy schedules that need attention.',
  ...exactly({
    total: { ...count, description: 'Entries of `triggers`, valid or not.' },
    needYou: {
      ...count,
      description:
        'Triggers that need attention, each counted once: invalid, paused, or enabled and failing, not armed, unready or limited.',
    },
    legacyNeedYou: { ...count, description: 'Legacy schedules that need attention.' },
    failing: {
      ...count,
      description: 'Enabled, and the newest turn failed. Missed and skipped slots are ignored.',
    },
    invalid: { ...count, description: 'Invalid entries, plus one for a file that cannot be read.' },
    paused: count,
    unready: {
      ...count,
      description: 'Enabled, but every run would currently fail: see `problem` of the entry.',
    },
    limited: {
      ...count,
      description: 'Enabled, but stopped for today by a daily limit.',
    },
    silent: {
      ...count,
      description: 'Enabled, but waiting because the clock was set back: see `clock` of the state.',
    },
    running: { ...count, description: 'With a running turn.' },
    missed24h: { ...count, description: 'Enabled, and a slot was missed in the last 24 hours.' },
    armed: count,
    nextFire: timeOrNull,
  }),
} as const;

/** Number of triggers and legacy schedules of a project that need attention, and its next fire. */
export type ProjectHealth = FromSchema<typeof healthSchema>;

/** Counts the states of the entries of a project. */
export function healthOf({ triggers, invalid, running }: ProjectStanding): ProjectHealth {
  const countOf = (is: (one: ProjectStanding['triggers'][number]) => boolean): number =>
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
    failing: countOf(({ isFailing }) => isFailing),
    missed24h: countOf(({ hasMissed }) => hasMissed),
    paused: countOf(({ pause }) => pause !== null),
    unready: countOf(({ fault }) => fault !== null),
    limited: countOf(({ limit }) => limit !== null),
    silent: countOf(({ definition, isSilent }) => definition.enabled && isSilent),
    armed: countOf(({ armed }) => armed),
    nextFire: fires.length === 0 ? null : isoTime(fires.reduce((a, b) => Math.min(a, b))),
    invalid: invalid.length,
    running,
  };
}
