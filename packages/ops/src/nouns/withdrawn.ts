import type { ProjectSnapshot } from '@svc/projects';
import type { OpenTurn, TurnEnding } from '@svc/store';
import { definitionOf } from './definition.ts';
import { noTrigger } from './no-trigger.ts';
import { endingWith } from './turn-end.ts';

/** Why a run ends before it starts where its trigger is disabled. */
export const DISABLED_BEFORE = 'The trigger was disabled before it started.';

/**
 * The end of a turn whose schedule or event trigger was disabled or deleted while the turn waited for a place; null for
 * one that may start. Runs that were asked for start whatever the trigger says.
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
