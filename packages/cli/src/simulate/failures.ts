import { counted } from '@svc/core';
import type { SimulatedTrigger } from '@svc/simulation';
import type { Failure } from './options.ts';
import type { Simulated } from './simulated.ts';

/** A condition of `--fail-on` that is met. */
export interface FoundFailure {
  readonly on: Failure;
  readonly message: string;
}

/** The conditions of `--fail-on` that are met. */
export function failuresIn(simulated: Simulated): FoundFailure[] {
  return [...new Set(simulated.options.failOn)].flatMap((on) => {
    const message = FINDERS[on](simulated);
    return message === null ? [] : [{ on, message: `Failed on ${on}: ${message}` }];
  });
}

const FINDERS: Readonly<Record<Failure, (simulated: Simulated) => string | null>> = {
  overlap: (simulated) =>
    slots(
      simulated,
      ({ overlaps }) => overlaps,
      'fell due while the previous run was still running',
    ),
  skipped: (simulated) =>
    slots(simulated, ({ skippedOverlap, skippedLimit }) => skippedOverlap + skippedLimit, SKIPPED),
  limit: (simulated) =>
    slots(simulated, ({ skippedLimit }) => skippedLimit, `${SKIPPED} because of a daily limit`),
  'pile-up': ({ simulation: { pileUps } }) =>
    pileUps.count === 0 ? null : `turns were queued ${counted(pileUps.count, 'time')}.`,
  never: neverFailure,
};

const SKIPPED = 'was skipped';

function slots(
  { simulation }: Simulated,
  of: (trigger: SimulatedTrigger) => number,
  what: string,
): string | null {
  const affected = simulation.triggers.filter((trigger) => of(trigger) > 0);
  const count = affected.reduce((sum, trigger) => sum + of(trigger), 0);
  if (count === 0) return null;
  const verb =
    count === 1 ? what : what.replace(/^was /, 'were ').replace('its trigger', 'their trigger');
  return `${counted(count, 'slot')} ${verb}: ${namesOf(affected.map(({ key }) => key))}.`;
}

function neverFailure({ simulation, leftOut }: Simulated): string | null {
  const neverFired = simulation.triggers.filter(({ fires }) => fires === 0).map(({ key }) => key);
  const all = [...neverFired, ...leftOut];
  return all.length === 0
    ? null
    : `${counted(all.length, 'trigger')} did not fire: ${namesOf(all)}.`;
}

const MAX_NAMES = 10;

function namesOf(all: readonly { readonly project: string; readonly name: string }[]): string {
  const named = all.slice(0, MAX_NAMES).map(({ project, name }) => `${project}/${name}`);
  const rest = all.length - named.length;
  return `${named.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
}
