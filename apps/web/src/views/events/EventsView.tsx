import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { eventPagesQuery } from '../../data/event-queries.ts';
import { projectsQuery } from '../../data/queries.ts';
import { useProject } from '../../data/use-project.ts';
import { EVENT_KINDS } from '../../model/event-text.ts';
import { type EventFilter, readEventFilter } from '../../model/filters.ts';
import { useColumns } from '../../parts/container-width.ts';
import controls from '../../parts/controls.module.css';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { LoadOlder } from '../../parts/LoadOlder.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import styles from '../runs/Runs.module.css';
import { EVENT_COLUMNS, EventCards, EventTable } from './EventList.tsx';

interface EventsProps {
  readonly slug: string;
  readonly filter: EventFilter;
}

/** Lists the events of a project, newest first, with the runs that each started. */
export function EventsView(): JSX.Element {
  const { slug = '' } = useParams({ strict: false });
  const filter = readEventFilter(useSearch({ strict: false }));
  usePageTitle('Events', useProject(slug).name);
  return (
    <>
      <KindFilter slug={slug} filter={filter} />
      <Events slug={slug} filter={filter} />
    </>
  );
}

function KindFilter({ slug, filter }: EventsProps): JSX.Element {
  const navigate = useNavigate();
  const choose = (event: string): void => {
    const search = readEventFilter({ event });
    void navigate({ to: '/projects/$slug/events', params: { slug }, search, replace: true });
  };
  return (
    <search className={styles['filters']}>
      <label className={styles['filter']}>
        Event
        <select
          className={styles['field']}
          value={filter.event ?? ''}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">All</option>
          {Object.entries(EVENT_KINDS).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}

function Events({ slug, filter }: EventsProps): JSX.Element {
  const columns = useColumns(EVENT_COLUMNS);
  const isBroken = useIsBroken(slug);
  const pages = useInfiniteQuery(eventPagesQuery(slug, filter));
  const { data, error, hasNextPage } = pages;
  if (data === undefined)
    return error === null ? <Loading rows={8} /> : <ErrorNotice error={error} />;
  const events = data.pages.flatMap((page) => page.events);
  if (events.length === 0) return <NoEvents slug={slug} filter={filter} />;
  const List = columns === null ? EventCards : EventTable;
  return (
    <>
      <List slug={slug} events={events} isBroken={isBroken} />
      {error === null ? null : <ErrorNotice error={error} />}
      {hasNextPage ? (
        <div className={styles['more']}>
          <LoadOlder pages={pages} of="events" />
        </div>
      ) : null}
    </>
  );
}

/** Whether project.yaml of a project cannot be read. */
function useIsBroken(slug: string): boolean {
  const { data } = useQuery(projectsQuery);
  return (data?.find((each) => each.slug === slug)?.faults.length ?? 0) > 0;
}

function NoEvents({ slug, filter }: EventsProps): JSX.Element {
  if (filter.event === undefined) {
    return (
      <p>
        No events yet. An event is recorded when a chat is archived, or when a turn that a user
        started ends.
      </p>
    );
  }
  return (
    <p className={styles['none']}>
      No events match.
      <Link to="/projects/$slug/events" params={{ slug }} className={controls['button']}>
        Clear filters
      </Link>
    </p>
  );
}
