import { failure, messageOf, success } from '@svc/core';
import type { RunId } from '@svc/records';
import type { PausedAll } from '@svc/store';
import { effectiveRecord } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { OperationError } from '../errors.ts';
import type { TriggerWork } from '../trigger-work.ts';
import { curatorNow } from './curator-now.ts';
import { etagOf } from './etag.ts';
import { createZoneMemory } from './host-zone.ts';
import { noTrigger } from './no-trigger.ts';
import type { NounParts } from './parts.ts';
import { pauseSentence } from './pauses.ts';
import { preview } from './preview.ts';
import { createPrivilegeCheck } from './privilege-check.ts';
import { isUnavailable } from './retry-write.ts';
import { sampleEvent } from './sample-event.ts';
import { createScheduleFacts } from './schedule-facts.ts';
import { createTriggerEdits } from './trigger-edits.ts';
import { createTriggerLister } from './trigger-list.ts';
import { createTriggerPatches } from './trigger-patches.ts';
import { createTriggerStates } from './trigger-states.ts';
import { createFlatTriggers } from './trigger-view.ts';
import { plannedFires } from './upcoming.ts';

export function createTriggerWork(parts: NounParts): TriggerWork {
  const { deps, settings, armedIn, fire, pauses, zones, remarks, inForceOf, standingsIn } = parts;
  const zoneNow = createZoneMemory(deps.clock);
  const statesOf = createTriggerStates(armedIn, { zoneNow, zones, standingsIn });
  const factsOf = createScheduleFacts(deps.clock, zoneNow);
  const privileges = createPrivilegeCheck(deps, settings);
  return {
    ...createTriggerEdits(parts),
    ...createTriggerPatches(parts, privileges),
    flat: createFlatTriggers(deps, settings, { statesOf, inForceOf, remarks }),
    list: createTriggerLister(deps, armedIn, { factsOf, standingsIn, remarks }),
    async get(project, name) {
      const entry = project.file?.triggers.get(name);
      if (entry === undefined) return failure(noTrigger(project, { name, source: 'trigger' }));
      const record = effectiveRecord(name, project.slug, entry.record);
      const warnings = remarks.warnings(project, 'trigger', entry);
      return success({ record, etag: etagOf(record), warnings });
    },
    states: async (project) => (project.file === null ? [] : statesOf(project, project.file)),
    async run(caller, project, name, data) {
      const refused = privileges.refusalOf(caller, project, name);
      if (refused !== null) return failure(refused);
      const pause = caller.turnId === null ? null : await pauses.all();
      if (pause !== null) return failure(notWhilePaused(pause));
      const event = data === undefined ? success(null) : sampleEvent(project, name, data);
      if (!event.ok) return event;
      const key = { project: project.slug, source: 'trigger', name } as const;
      const curator = data === undefined ? await curatorNow(deps, project, name, caller) : null;
      const { claimed, event: given } = curator ?? { claimed: null, event: event.value };
      const request = { key, cause: 'manual', claimed, caller, event: given } as const;
      return claimed === null ? fire(request) : fire(request).catch(giveUp(deps, claimed));
    },
    upcoming: async (project, hours) => {
      const [armed, standings] = await Promise.all([armedIn([project]), standingsIn([project])]);
      const { triggers = [] } = standings.get(project.slug) ?? {};
      return plannedFires({ clock: deps.clock, armed, factsOf }, triggers, hours);
    },
    preview: (request) => preview(deps.clock, request),
  };
}

function notWhilePaused(pause: PausedAll): OperationError {
  const message = `${pauseSentence(pause)} Agents cannot fire triggers until a person resumes them.`;
  return { code: 'conflict', message };
}

// A claimed run that is never started would count as waiting.
function giveUp({ store, clock }: OpsDeps, runId: RunId) {
  return async (error: unknown): Promise<never> => {
    const reason = `It could not be started: ${messageOf(error)}`;
    const outcome = isUnavailable(error) ? 'interrupted' : 'failed';
    await store.runs.endUnstarted(runId, outcome, reason, clock.now());
    throw error;
  };
}
