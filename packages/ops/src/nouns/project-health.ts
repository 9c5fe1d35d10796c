import { createPace, isoTime } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug } from '@svc/records';
import type { TriggerSigns } from '@svc/store';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { ProjectHealth } from '../overviews.ts';
import type { InvalidEntry } from '../trigger-results.ts';
import type { ArmedStates, ArmedStatesIn } from './armed-states.ts';
import { type Definition, definitionsOf } from './definition.ts';
import type { PauseStandings, Pauses } from './pauses.ts';
import { problemOf } from './prompt-warnings.ts';
import type { RuntimeInForceOf } from './runtime-limits.ts';
import { invalidOf } from './trigger-list.ts';
import { standingOf } from './trigger-states.ts';

/** Tells the health of projects that have been read already, with one query for all of them. */
export type HealthOf = (
  projects: readonly ProjectSnapshot[],
) => Promise<ReadonlyMap<Slug, ProjectHealth>>;

const DAY_MS = 86_400_000;

export function createHealth(
  deps: OpsDeps,
  armedIn: ArmedStatesIn,
  inForceOf: RuntimeInForceOf,
  pauses: Pick<Pauses, 'standingsIn'>,
): HealthOf {
  return async (projects) => {
    const since = isoTime(deps.clock.now() - DAY_MS);
    const slugs = projects.map(({ slug }) => slug);
    const signs = await deps.store.runs.signs(slugs, since);
    const pauseOf = await pauses.standingsIn(slugs);
    const armed = await armedIn(projects);
    const pace = createPace(deps.clock);
    const told = new Map<Slug, ProjectHealth>();
    const isHeld = (definition: Definition, project: ProjectSettings | undefined) =>
      project === undefined || inForceOf(definition, project).unheld.length === 0;
    for (const project of projects) {
      const { slug, file, faults } = project;
      const own = signs.get(slug) ?? NO_SIGNS;
      const invalid = invalidOf(file, faults);
      const tally = createTally(armed, project, own, pauseOf);
      for (const { source } of invalid) tally.countInvalid(source);
      for (const definition of file === null ? [] : definitionsOf(slug, file)) {
        tally.count(definition, isHeld(definition, file?.settings));
        await pace.breathe();
      }
      told.set(slug, { ...tally.read(), invalid: invalid.length, running: own.running.size });
    }
    return told;
  };
}

function createTally(
  states: ArmedStates,
  place: ProjectSnapshot,
  { failed, missed }: TriggerSigns,
  pauseOf: PauseStandings,
) {
  const seen = { failing: 0, paused: 0, unready: 0, silent: 0, missed24h: 0, armed: 0 };
  const all = { trigger: 0, schedule: 0, file: 0 };
  const needYou = { trigger: 0, schedule: 0, file: 0 };
  let next: number | null = null;
  return {
    countInvalid(source: InvalidEntry['source']): void {
      all[source] += 1;
      needYou[source] += 1;
    },
    count(definition: Definition, canFire: boolean): void {
      const { key, enabled } = definition;
      const { armed, nextFire, isSilent } = standingOf(states, definition);
      const pause = enabled ? pauseOf(key) : null;
      // That everything is paused is one thing to look at, and is told as one.
      const isStuck = pause !== null && pause.own !== null;
      const name = `${key.source}/${key.name}`;
      const isFailing = enabled && failed.has(name);
      const isUnready = problemOf(place, definition) !== null || (enabled && !canFire);
      const isInNeed = enabled && (isFailing || isStuck || isUnready || !armed);
      all[key.source] += 1;
      needYou[key.source] += Number(isInNeed);
      seen.failing += Number(isFailing);
      seen.missed24h += Number(enabled && missed.has(name));
      seen.paused += Number(pause !== null);
      seen.unready += Number(isUnready);
      seen.silent += Number(enabled && isSilent);
      seen.armed += Number(armed);
      if (nextFire !== null && nextFire < (next ?? Number.POSITIVE_INFINITY)) next = nextFire;
    },
    read: () => ({
      total: all.trigger,
      needYou: needYou.trigger,
      legacyNeedYou: needYou.schedule,
      ...seen,
      nextFire: next === null ? null : isoTime(next),
    }),
  };
}

const NONE: ReadonlySet<string> = new Set();
const NO_SIGNS: TriggerSigns = { failed: NONE, missed: NONE, running: NONE };
