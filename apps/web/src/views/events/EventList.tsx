import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { LifecycleEvent } from '../../data/api-types.ts';
import type { Column } from '../../model/columns.ts';
import { eventText, waitsText } from '../../model/event-text.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Columns } from '../../parts/Columns.tsx';
import { EventSentence } from '../../parts/EventSentence.tsx';
import { When } from '../../parts/Time.tsx';
import runs from '../runs/Runs.module.css';
import styles from './Events.module.css';

interface EventListProps {
  readonly slug: string;
  readonly events: readonly LifecycleEvent[];
  /** Whether project.yaml cannot be read. */
  readonly isBroken: boolean;
}

export const EVENT_COLUMNS: readonly Column[] = [
  { key: 'when', title: 'Time', width: 150, rank: 0 },
  { key: 'what', title: 'Event', width: 200, rank: 0, grows: true },
  { key: 'started', title: 'Runs started', width: 220, rank: 0, grows: true },
];

/** Events as rows. */
export function EventTable({ slug, events, isBroken }: EventListProps): JSX.Element {
  return (
    <table className={runs['table']} aria-label="Events">
      <Columns columns={EVENT_COLUMNS} />
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td>
              <When at={event.createdAt} />
            </td>
            <th scope="row">
              <EventSentence slug={slug} event={event} words={eventText(event)} />
            </th>
            <td>
              <Started slug={slug} event={event} isBroken={isBroken} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Events as cards, for narrow windows. */
export function EventCards({ slug, events, isBroken }: EventListProps): JSX.Element {
  return (
    <ul className={runs['cards']} aria-label="Events">
      {events.map((event) => (
        <li key={event.id} className={runs['card']}>
          <span className={runs['quiet']}>
            <When at={event.createdAt} />
          </span>
          <EventSentence slug={slug} event={event} words={eventText(event)} />
          <Started slug={slug} event={event} isBroken={isBroken} />
        </li>
      ))}
    </ul>
  );
}

interface StartedProps extends Pick<EventListProps, 'slug' | 'isBroken'> {
  readonly event: LifecycleEvent;
}

function Started({ slug, event, isBroken }: StartedProps): JSX.Element {
  if (event.dispatchedAt === null) {
    return <span className={runs['quiet']}>{waitsText(event, isBroken)}</span>;
  }
  if (event.runs.length === 0) {
    return <span className={runs['quiet']}>No runs.</span>;
  }
  return (
    <ul className={styles['runs']} aria-label="Runs started">
      {event.runs.map((run) => (
        <li key={run.id} className={styles['run']}>
          <Badge {...stateLabelOf(run)} />
          <Link
            to="/projects/$slug/runs/$runId"
            params={{ slug, runId: run.id }}
            className={runs['name']}
          >
            {inertText(run.trigger)}
          </Link>
        </li>
      ))}
    </ul>
  );
}
