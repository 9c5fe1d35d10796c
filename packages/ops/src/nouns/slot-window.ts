import type { TriggerKey } from '@svc/records';
import type { OpsDeps } from '../deps.ts';
import { catchUpWindowOf, type Definition, definitionOf } from './definition.ts';

type Asked = Pick<OpsDeps, 'projects' | 'clock'>;

/** Whether a slot (milliseconds) that was claimed by an earlier life of the service may still be started. */
export async function isMadeUpFor(deps: Asked, key: TriggerKey, slot: number): Promise<boolean> {
  const definition = await definitionNow(deps, key);
  // Of a trigger that is gone or disabled by now nothing is made up for; firing says so in the run.
  if (definition === null || definition.catchUp === 'none') return definition === null;
  return isYoung(deps, definition, slot);
}

/** Whether a slot (milliseconds) that has waited for the run before it may still be started. */
export async function mayWaitOn(deps: Asked, key: TriggerKey, slot: number): Promise<boolean> {
  const definition = await definitionNow(deps, key);
  return definition === null || isYoung(deps, definition, slot);
}

async function definitionNow({ projects }: Asked, key: TriggerKey): Promise<Definition | null> {
  const snapshot = await projects.snapshot(key.project);
  return snapshot?.file ? definitionOf(snapshot.file, key) : null;
}

function isYoung({ clock }: Asked, definition: Definition, slot: number): boolean {
  return clock.now() - slot < catchUpWindowOf(definition);
}
