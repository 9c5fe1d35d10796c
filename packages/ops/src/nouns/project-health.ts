import { isoTime } from '@svc/core';
import type { ProjectHealth } from '../overviews.ts';
import type { ProjectStanding } from './standings.ts';

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
