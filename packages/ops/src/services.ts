import type { Redactor } from '@svc/core';
import type { Scheduler } from '@svc/scheduler';
import type { ProjectRules } from '@svc/trigger-schema';
import type { OpsDeps, WorkSettings } from './deps.ts';
import type { ArmedStatesIn } from './nouns/armed-states.ts';
import type { Arming } from './nouns/arming.ts';
import type { ChangeLog } from './nouns/change-log.ts';
import type { Fences } from './nouns/fences.ts';
import type { FireTrigger } from './nouns/fire-request.ts';
import { createZoneMemory } from './nouns/host-zone.ts';
import type { Members } from './nouns/members.ts';
import type { Pauses } from './nouns/pauses.ts';
import { createPrivilegeCheck, type PrivilegeCheck } from './nouns/privilege-check.ts';
import type { PromptRemarks } from './nouns/prompt-remarks.ts';
import { createRuntimeInForce } from './nouns/runtime-limits.ts';
import { createScheduleFacts, type ScheduleFactsOf } from './nouns/schedule-facts.ts';
import { createStandings, type StandingsIn } from './nouns/standings.ts';
import { createTriggerLister, type TriggerLister } from './nouns/trigger-list.ts';
import { createTriggerStates, type TriggerStates } from './nouns/trigger-states.ts';
import { createFlatTriggers, type FlatTriggers } from './nouns/trigger-view.ts';
import type { Zones } from './nouns/zones.ts';

/** The parts of the service that operations use. */
export interface ServiceParts {
  readonly deps: OpsDeps;
  readonly settings: WorkSettings;
  readonly scheduler: Scheduler;
  readonly armedIn: ArmedStatesIn;
  readonly fire: FireTrigger;
  readonly arming: Arming;
  readonly changeLog: ChangeLog;
  readonly rules: ProjectRules;
  readonly fences: Fences;
  readonly pauses: Pauses;
  readonly members: Pick<Members, 'isShared' | 'holder' | 'size'>;
  readonly redactor: Pick<Redactor, 'text'>;
  readonly zones: Zones;
  readonly remarks: PromptRemarks;
}

/** What operations work with. */
export interface Services extends ServiceParts {
  readonly standingsIn: StandingsIn;
  readonly privileges: PrivilegeCheck;
  /** The time zone of the host. */
  readonly zoneNow: () => string;
  readonly factsOf: ScheduleFactsOf;
  readonly statesOf: TriggerStates;
  readonly listTriggers: TriggerLister;
  readonly flat: FlatTriggers;
}

/** Adds the shared queries over triggers, some of which have a cache. */
export function createServices(parts: ServiceParts): Services {
  const { deps, settings, armedIn, zones, remarks, pauses } = parts;
  const inForceOf = createRuntimeInForce(deps, settings);
  const standingsIn = createStandings(deps, settings, { armedIn, pauses, remarks, inForceOf });
  const zoneNow = createZoneMemory(deps.clock);
  const statesOf = createTriggerStates(armedIn, { zoneNow, zones, standingsIn });
  const factsOf = createScheduleFacts(deps.clock, zoneNow);
  return {
    ...parts,
    standingsIn,
    privileges: createPrivilegeCheck(deps, settings),
    zoneNow,
    factsOf,
    statesOf,
    listTriggers: createTriggerLister(deps, armedIn, { factsOf, standingsIn, remarks }),
    flat: createFlatTriggers(deps, settings, { statesOf, inForceOf, remarks }),
  };
}
