import { failure, type Issue, success } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import { effectiveRecord, type NamedTrigger } from '@svc/trigger-schema';
import type { Caller } from '../caller.ts';
import type { Answer } from '../errors.ts';
import { definitionsOf } from './definition.ts';
import { etagOf } from './etag.ts';
import type { Fired } from './firing.ts';
import { createZoneMemory } from './host-zone.ts';
import { noTrigger } from './no-trigger.ts';
import type { NounParts } from './parts.ts';
import { type PreviewRequest, preview } from './preview.ts';
import { createPrivilegeCheck } from './privilege-check.ts';
import { entryWarnings } from './prompt-warnings.ts';
import { createScheduleFacts } from './schedule-facts.ts';
import { createTriggerEdits, type TriggerEdits } from './trigger-edits.ts';
import { createTriggerLister, type TriggerLister } from './trigger-list.ts';
import { createTriggerPatches, type TriggerPatches } from './trigger-patches.ts';
import { createTriggerStates, type RuntimeState } from './trigger-states.ts';
import { createFlatTriggers, type FlatTriggers } from './trigger-view.ts';
import { type Plan, plannedFires } from './upcoming.ts';

/** A trigger as it is stored, with its entity tag and what its author should know. */
export interface StoredTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly warnings: readonly Issue[];
}

/** Working with the triggers of a project. */
export interface TriggerWork extends TriggerEdits, TriggerPatches {
  readonly list: TriggerLister;
  /** The same in one level, as tools show them. */
  readonly flat: FlatTriggers;
  get(project: ProjectSnapshot, name: string): Answer<StoredTrigger>;
  states(project: ProjectSnapshot): Promise<readonly RuntimeState[]>;
  /** Fires a trigger now, also a disabled one; a scoped agent only one that may do no more than itself. */
  run(caller: Caller, project: ProjectSnapshot, name: string): Answer<Fired>;
  /** Fires of the coming `hours` (1 to 168). */
  upcoming(project: ProjectSnapshot, hours: number): Promise<Plan>;
  /** When a schedule would fire; nothing is stored. */
  preview(request: PreviewRequest): ReturnType<typeof preview>;
}

export function createTriggerWork(parts: NounParts): TriggerWork {
  const { deps, settings, scheduler, fire } = parts;
  const zoneNow = createZoneMemory(deps.clock);
  const statesOf = createTriggerStates(deps, scheduler, zoneNow);
  const factsOf = createScheduleFacts(deps.clock, zoneNow);
  const privileges = createPrivilegeCheck(deps, settings);
  return {
    ...createTriggerEdits(parts),
    ...createTriggerPatches(parts, privileges),
    flat: createFlatTriggers(deps, settings, statesOf),
    list: createTriggerLister(deps, scheduler, factsOf),
    async get(project, name) {
      const entry = project.file?.triggers.get(name);
      if (entry === undefined) return failure(noTrigger(project, { name, source: 'trigger' }));
      const record = effectiveRecord(name, project.slug, entry.record);
      const warnings = entryWarnings(project, 'trigger', entry);
      return success({ record, etag: etagOf(record), warnings });
    },
    states: async (project) => (project.file === null ? [] : statesOf(project, project.file)),
    async run(caller, project, name) {
      const refused = privileges.refusalOf(caller, project, name);
      if (refused !== null) return failure(refused);
      const key = { project: project.slug, source: 'trigger', name } as const;
      return fire({ key, cause: 'manual', claimed: null, caller });
    },
    upcoming: ({ slug, file }, hours) => {
      const definitions = file === null ? [] : definitionsOf(slug, file);
      return plannedFires({ clock: deps.clock, scheduler, factsOf }, definitions, hours);
    },
    preview: (request) => preview(deps.clock, request),
  };
}
