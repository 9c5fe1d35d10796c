import type { JSX } from 'react';
import type { LifecycleEvent, Run } from '../../data/api-types.ts';
import { firedShortText } from '../../model/event-text.ts';
import { byText, capitalized, starterText } from '../../model/run-text.ts';
import { EventSentence } from '../../parts/EventSentence.tsx';

interface RunOriginProps {
  readonly run: Run;
  /** The event that started it; undefined when none did, or when it is not known. */
  readonly event: LifecycleEvent | undefined;
  /** Whether it is the cell of a column "Started by" instead of a part of a sentence. */
  readonly isCell?: boolean;
}

/** Describes who or what started a run. */
export function RunOrigin({ run, event, isCell = false }: RunOriginProps): JSX.Element {
  if (run.cause !== 'event' || event === undefined) {
    return <>{isCell ? starterText(run) : byText(run)}</>;
  }
  const [before, after] = firedShortText(event);
  const words = [isCell ? capitalized(before) : before, after] as const;
  return <EventSentence slug={run.project} event={event} words={words} isBrief />;
}

/** The events that started runs, by id. */
export type EventsById = ReadonlyMap<string, LifecycleEvent>;

/** The event that started a run, if it is known. */
export function eventOf({ eventId }: Run, events: EventsById): LifecycleEvent | undefined {
  return eventId === null ? undefined : events.get(eventId);
}
