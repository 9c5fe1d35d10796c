import type { TriggerKey } from '@svc/records';
import type { ClockDay, Simulation } from '@svc/simulation';
import type { VerbContext } from './context.ts';
import type { SimulateOptions } from './simulate-options.ts';

/** An entry that was not simulated. */
export interface LeftOut {
  readonly project: string;
  readonly name: string;
  readonly reason: string;
}

/** A simulation and its options. */
export interface Simulated {
  readonly options: SimulateOptions;
  readonly simulation: Simulation;
  readonly clockDays: readonly { readonly key: TriggerKey; readonly change: ClockDay }[];
  readonly leftOut: readonly LeftOut[];
  readonly limits: VerbContext['settings']['limits'];
}

/** The name of a trigger with its project. */
export function nameOf({ project, name }: Pick<TriggerKey, 'project' | 'name'>): string {
  return `${project}/${name}`;
}
