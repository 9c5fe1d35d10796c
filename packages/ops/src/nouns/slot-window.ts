import type { TriggerKey } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { catchUpWindowOf, definitionOf } from './definition.ts';

/** Whether a slot (milliseconds) that was claimed by an earlier life of the service may still be started. */
export async function isMadeUpFor(
  { projects, clock }: Pick<OpsDeps, 'projects' | 'clock'>,
  key: TriggerKey,
  slot: number,
): Promise<boolean> {
  const snapshot = await projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // Of a trigger that is gone or disabled by now nothing is made up for; firing says so in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return clock.now() - slot < catchUpWindowOf(definition);
}
