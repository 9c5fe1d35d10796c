import type { Clock, Logger } from '@svc/core';
import { type SlotCursor, type Slug, triggerId } from '@svc/records';
import { isWrong, noteOn, putBack } from './cursors.ts';
import type { Entry } from './entry.ts';
import type { WakeHeap } from './heap.ts';
import type { Placement } from './placement.ts';
import type { Roster } from './roster.ts';
import type { SlotClaims } from './slot-claims.ts';

/** What a review needs. */
export interface ReviewParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: SlotClaims;
  readonly heap: WakeHeap<Entry>;
  readonly roster: Roster;
  readonly placement: Placement;
}

/** After the clock was set far back: puts the cursors of a project that now lie in the future back to now. */
export async function reviewProject(parts: ReviewParts, project: Slug): Promise<void> {
  const { clock, claims, roster } = parts;
  const stored = await claims.loadProject(project);
  const now = clock.now();
  const wrong = [...roster.entriesOf(project)].flatMap((entry): Wrong[] => {
    const cursor = stored.get(triggerId(entry.request.key));
    return cursor !== undefined && waits(entry) && isWrong(cursor, now) ? [{ entry, cursor }] : [];
  });
  if (wrong.length === 0) return;
  await claims.arm(
    wrong.map(({ entry: { request }, cursor }) => {
      const { key, definitionHash } = request;
      return { key, cursor: putBack(cursor, now), definitionHash };
    }),
  );
  for (const one of wrong) restart(parts, one, now);
}

interface Wrong {
  readonly entry: Entry;
  readonly cursor: SlotCursor;
}

function restart(parts: ReviewParts, { entry, cursor }: Wrong, now: number): void {
  // It may have been withdrawn, or have fallen due again, while the store was written.
  if (!waits(entry)) return;
  parts.logger.warn({ ...entry.request.key }, 'A decided slot lay in the future and was put back.');
  parts.heap.remove(entry);
  entry.wait = null;
  entry.trouble = { error: null, attempts: 0, clockNote: noteOn(cursor, now) };
  parts.placement.advance(entry, now);
}

function waits(entry: Entry): boolean {
  return entry.heapIndex >= 0 && (entry.phase === 'waiting' || entry.phase === 'faulty');
}
