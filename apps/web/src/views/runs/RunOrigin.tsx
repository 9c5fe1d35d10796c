import type { JSX } from 'react';
import type { LifecycleEvent, Run } from '../../data/api-types.ts';
import { firedShortText } from '../../model/event-text.ts';
import { byText } from '../../model/run-text.ts';
import { EventSentence } from '../../parts/EventSentence.tsx';

interface RunOriginProps {
  readonly run: Run;
  /** The event that started it; undefined when none did, or when it is not known. */
  readonly event: LifecycleEvent | undefined;
}

/** Describes who or what started a run. */
export function RunOrigin({ run, event }: RunOriginProps): JSX.Element {
  if (run.cause !== 'event' || event === undefined) return <>{byText(run)}</>;
  return <EventSentence slug={run.project} event={event} words={firedShortText(event)} isBrief />;
}

/** The events that started runs, by id. */
export type EventsById = ReadonlyMap<string, LifecycleEvent>;

/** The event that started a run, if it is known. */
export function eventOf({ eventId }: Run, events: EventsById): LifecycleEvent | undefined {
  return eventId === null ? undefined : events.get(eventId);
}
