import type { TriggerKey } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { catchUpWindowOf, definitionOf, startDelayOf } from './definition.ts';

/** Whether a slot that was claimed and not started may still start. */
export async function isInWindow(deps: OpsDeps, key: TriggerKey, slot: number): Promise<boolean> {
  const snapshot = await deps.projects.snapshot(key.project);
  const definition = snapshot?.file ? definitionOf(snapshot.file, key) : null;
  // A slot of a trigger that was removed or disabled is not caught up; firing records that in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return deps.clock.now() - slot - startDelayOf(definition) < catchUpWindowOf(definition);
}
