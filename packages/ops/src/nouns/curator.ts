import type { EventData, Slug, TurnId } from '@svc/records';
import type { OpsDeps } from '../deps.ts';

/** What a curator is given of turns. */
export async function curatorData(
  _deps: OpsDeps,
  project: Slug,
  turnIds: readonly TurnId[],
): Promise<EventData> {
  return { event: 'afterTurn', project, data: { turns: turnIds.length } };
}
