import type { ProjectSnapshot } from '@svc/projects';
import type { OpenTurn, TurnEnding } from '@svc/store';
import { definitionOf } from '../definition.ts';
import { endingWith } from '../turns/turn-end.ts';
import { noTrigger } from './no-trigger.ts';

/** The reason of a run that ends before it starts because its trigger was disabled. */
export const DISABLED_BEFORE = 'The trigger was disabled before it started.';

/**
 * The end of a queued turn whose schedule or event trigger was disabled or removed; null if it may start. Requested
 * runs start regardless.
 */
export function withdrawnEnding(
  snapshot: ProjectSnapshot | null,
  { project, run }: Pick<OpenTurn, 'project' | 'run'>,
): TurnEnding | null {
  if (run === null || run.cause === 'manual') return null;
  if (snapshot === null || snapshot.file === null) return null;
  const key = { project, source: run.source, name: run.trigger };
  const definition = definitionOf(snapshot.file, key);
  if (definition?.enabled === true) return null;
  const reason = definition === null ? noTrigger(snapshot, key).message : DISABLED_BEFORE;
  return endingWith('cancelled', reason);
}
