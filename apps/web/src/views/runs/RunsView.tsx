import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { type RunPage, runPagesQuery } from '../../data/run-queries.ts';
import { useEventsOf } from '../../data/use-events-of.ts';
import { useProject } from '../../data/use-project.ts';
import { type RunFilter, readRunFilter } from '../../model/filters.ts';
import { byDue } from '../../model/run-text.ts';
import { useColumns } from '../../parts/container-width.ts';
import controls from '../../parts/controls.module.css';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { LoadOlder } from '../../parts/LoadOlder.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { RemovedRuns } from './RemovedRuns.tsx';
import { RunCards } from './RunCards.tsx';
import { RunFilters } from './RunFilters.tsx';
import styles from './Runs.module.css';
import { RUN_COLUMNS, RunTable } from './RunTable.tsx';

/** The runs of a project that match the filter of the address, newest first. */
export function RunsView(): JSX.Element {
  const { slug = '' } = useParams({ strict: false });
  const filter = readRunFilter(useSearch({ strict: false }));
  usePageTitle('Runs', useProject(slug).name);
  return (
    <>
      <RunFilters slug={slug} filter={filter} />
      <Runs slug={slug} filter={filter} />
    </>
  );
}

interface RunsProps {
  readonly slug: string;
  readonly filter: RunFilter;
}

function Runs({ slug, filter }: RunsProps): JSX.Element {
  const columns = useColumns(RUN_COLUMNS);
  const pages = useInfiniteQuery(runPagesQuery(slug, filter));
  const { data, error, hasNextPage } = pages;
  const runs = byDue((data?.pages ?? []).flatMap((page) => page.runs));
  const events = useEventsOf(slug, runs);
  if (data === undefined)
    return error === null ? <Loading rows={8} /> : <ErrorNotice error={error} />;
  const removed = data.pages.at(-1)?.removed ?? null;
  if (runs.length === 0) return <NoRuns slug={slug} filter={filter} removed={removed} />;
  return (
    <>
      {columns === null ? (
        <RunCards runs={runs} events={events} />
      ) : (
        <RunTable runs={runs} events={events} columns={columns} />
      )}
      {hasNextPage ? (
        <div className={styles['more']}>
          <LoadOlder pages={pages} of="runs" />
        </div>
      ) : null}
      <RemovedRuns removed={removed} />
    </>
  );
}

interface NoRunsProps extends RunsProps {
  readonly removed: RunPage['removed'];
}

function NoRuns({ slug, filter, removed }: NoRunsProps): JSX.Element {
  if (Object.keys(filter).length === 0) {
    if (removed !== null) return <RemovedRuns removed={removed} />;
    return <p>No runs yet. A run is recorded each time a trigger fires.</p>;
  }
  return (
    <>
      <p className={styles['none']}>
        No runs match.
        <Link to="/projects/$slug/runs" params={{ slug }} className={controls['button']}>
          Clear filters
        </Link>
      </p>
      <RemovedRuns removed={removed} />
    </>
  );
}
