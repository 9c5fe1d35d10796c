import type { Scheduler } from '@svc/scheduler';
import type { ProjectRules } from '@svc/trigger-schema';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { Arming } from './arming.ts';
import type { FireTrigger } from './firing.ts';

/** What the nouns share beside their ports. */
export interface NounParts {
  readonly deps: OpsDeps;
  readonly settings: WorkSettings;
  readonly scheduler: Scheduler;
  readonly fire: FireTrigger;
  readonly arming: Arming;
  readonly rules: ProjectRules;
}
