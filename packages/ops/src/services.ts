import type { Redactor } from '@svc/core';
import {
  createEffectiveRuntime,
  createScheduleFacts,
  createZoneCache,
  type Engine,
  type EngineSettings,
  type Members,
  type ScheduleFactsOf,
} from '@svc/engine';
import type { ChangeLog } from '@svc/history';
import type { ProjectRules } from '@svc/trigger-schema';
import type { OpsDeps } from './deps.ts';
import { createPrivilegeCheck, type PrivilegeCheck } from './edits/privilege-check.ts';
import { createStandings, type StandingsIn } from './queries/standings.ts';
import { createTriggerLister, type TriggerLister } from './queries/trigger-list.ts';
import { createTriggerStates, type TriggerStates } from './queries/trigger-states.ts';
import { createFlatTriggers, type FlatTriggers } from './queries/trigger-view.ts';

type EnginePart =
  | 'scheduler'
  | 'fire'
  | 'arming'
  | 'armedIn'
  | 'selfTests'
  | 'pauses'
  | 'zones'
  | 'remarks';

/** The parts of the service that operations use. */
export interface ServiceParts extends Pick<Engine, EnginePart> {
  readonly deps: OpsDeps;
  readonly settings: EngineSettings;
  readonly members: Pick<Members, 'isShared' | 'holder' | 'size'>;
  readonly changeLog: ChangeLog;
  readonly rules: ProjectRules;
  readonly redactor: Pick<Redactor, 'text'>;
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
  const effectiveRuntimeOf = createEffectiveRuntime(deps, settings);
  const standingsIn = createStandings(deps, settings, {
    armedIn,
    pauses,
    remarks,
    effectiveRuntimeOf,
  });
  const zoneNow = createZoneCache(deps.clock);
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
    flat: createFlatTriggers(deps, settings, { statesOf, effectiveRuntimeOf, remarks }),
  };
}
