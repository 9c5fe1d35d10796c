import type { TriggerKey } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { catchUpWindowOf, definitionOf, startDelayOf } from './definition.ts';

/** Whether a slot that was claimed and not started may still be. */
export async function isInWindow(deps: OpsDeps, key: TriggerKey, slot: number): Promise<boolean> {
  const snapshot = await deps.projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // Of a trigger that is gone or disabled by now nothing is made up for; firing says so in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return deps.clock.now() - slot - startDelayOf(definition) < catchUpWindowOf(definition);
}
