import type { TriggerKey } from '@svc/records';
import type { ClockDay, Simulation } from '@svc/simulation';
import type { Limits } from '../context.ts';
import type { SimulateOptions } from './options.ts';

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
  readonly limits: Limits;
}

/** The name of a trigger with its project. */
export function nameOf({ project, name }: Pick<TriggerKey, 'project' | 'name'>): string {
  return `${project}/${name}`;
}
