import type { OpenTurn, TurnEnding } from '@svc/store';
import type { OpsDeps } from '../deps.ts';
import { definitionOf } from './definition.ts';
import { noTrigger } from './no-trigger.ts';
import { endingWith } from './turn-end.ts';

/** Why a run ends before it starts where its trigger is disabled. */
export const DISABLED_BEFORE = 'The trigger was disabled before it started.';

/**
 * The end of a turn whose schedule or event trigger was disabled or deleted while the turn waited for a place; null for
 * one that may start. Runs that were asked for start whatever the trigger says.
 */
export async function withdrawnEnding(
  { projects }: Pick<OpsDeps, 'projects'>,
  { project, run }: Pick<OpenTurn, 'project' | 'run'>,
): Promise<TurnEnding | null> {
  if (run === null || run.cause === 'manual') return null;
  const snapshot = await projects.snapshot(project);
  if (snapshot === null || snapshot.file === null) return null;
  const key = { project, source: run.source, name: run.trigger };
  const definition = definitionOf(snapshot.file, key);
  if (definition?.enabled === true) return null;
  const reason = definition === null ? noTrigger(snapshot, key).message : DISABLED_BEFORE;
  return endingWith('cancelled', reason);
}
