import type { JSX } from 'react';
import type { LifecycleEvent, Run } from '../../data/shapes.ts';
import { firedBriefly } from '../../model/event-words.ts';
import { byText } from '../../model/run-words.ts';
import { EventSentence } from '../../parts/EventSentence.tsx';

interface FiredProps {
  readonly run: Run;
  /** The event that has started it; undefined where none did, or it is not known. */
  readonly event: LifecycleEvent | undefined;
}

/** Who or what has fired a run, in a few words. */
export function Fired({ run, event }: FiredProps): JSX.Element {
  if (run.cause !== 'event' || event === undefined) return <>{byText(run)}</>;
  return <EventSentence slug={run.project} event={event} words={firedBriefly(event)} isBrief />;
}

/** The events that have started runs, by id. */
export type EventsById = ReadonlyMap<string, LifecycleEvent>;

/** The event that has started a run, where it is known. */
export function eventOf({ eventId }: Run, events: EventsById): LifecycleEvent | undefined {
  return eventId === null ? undefined : events.get(eventId);
}
