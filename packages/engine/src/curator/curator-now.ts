import { newId } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { EventData, RunId } from '@svc/records';
import { isCurator } from '@svc/trigger-schema';
import type { Caller } from '../caller.ts';
import type { EngineDeps } from '../deps.ts';
import { curatorData } from './curator.ts';

const MOST_TURNS = 20;

interface Started {
  /** The run that covers the pending turns; null if it is not yet written. */
  readonly claimed: RunId | null;
  readonly event: EventData;
}

/**
 * The data for an `afterTurn` trigger that a caller fires: the pending turns, which it covers if it is the curator;
 * otherwise the newest turns, for a test. null for other triggers.
 */
export async function curatorNow(
  deps: EngineDeps,
  { slug, file }: ProjectSnapshot,
  name: string,
  caller: Caller,
): Promise<Started | null> {
  const trigger = file?.triggers.get(name)?.record.trigger;
  if (file === null || trigger?.type !== 'event' || trigger.on !== 'afterTurn') return null;
  const key = { project: slug, source: 'trigger', name } as const;
  const by = caller.actor;
  const now = deps.clock.now();
  const run = { id: newId(), key, cause: 'manual', by, claimedAt: now } as const;
  const { events } = deps.store;
  if (isCurator(file, name) && (await events.cover(slug, run, now)) > 0) {
    const turns = await events.turnsOf(run.id);
    return { claimed: run.id, event: await curatorData(deps, slug, turns) };
  }
  const turns = await events.newestTurns(slug, MOST_TURNS);
  return { claimed: null, event: await curatorData(deps, slug, turns) };
}
