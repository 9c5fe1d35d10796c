import { useQueries } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { Run } from '../../data/api-types.ts';
import { lastVisit } from '../../data/last-visit.ts';
import { runsSinceQuery } from '../../data/queries.ts';
import { isSkip, stateLabelOf } from '../../model/outcomes.ts';
import { whenText } from '../../model/times.ts';
import styles from './Fact.module.css';

/** Counts the runs since the last visit. */
export function SinceLastVisit({
  slugs,
}: {
  readonly slugs: readonly string[];
}): JSX.Element | null {
  const [{ since, isKnown }] = useState(() => lastVisit(Date.now()));
  const results = useQueries({ queries: slugs.map((slug) => runsSinceQuery(slug, since)) });
  if (results.some(({ data }) => data === undefined)) return null;
  const runs = results.flatMap(({ data }) => data?.runs ?? []);
  const isAll = results.every(({ data }) => data?.isAll === true);
  const opening = isKnown
    ? `Since your last visit (${whenText(since, Date.now())})`
    : 'In the last 24 hours';
  return (
    <p className={styles['fact']}>
      {opening}: {countsText(runs, isAll)}
    </p>
  );
}

/** "38 runs, 35 succeeded, 2 failed, 1 missed"; zero counts are omitted. */
function countsText(runs: readonly Run[], isAll: boolean): string {
  const ran = runs.filter((run) => run.outcome !== 'missed' && !isSkip(run));
  const of = (is: (run: Run) => boolean): number => runs.filter(is).length;
  const counts: [number, string][] = [
    [of(({ outcome }) => outcome === 'succeeded'), 'succeeded'],
    [of((run) => stateLabelOf(run).tone === 'bad'), 'failed'],
    [of(({ outcome }) => outcome === 'interrupted'), 'interrupted'],
    [of(({ outcome }) => outcome === 'missed'), 'missed'],
    [of(({ state }) => state !== 'ended'), 'running'],
  ];
  if (ran.length === 0 && runs.every(({ outcome }) => outcome !== 'missed')) return 'no runs.';
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const total = isAll
    ? `${ran.length} ${ran.length === 1 ? 'run' : 'runs'}`
    : `of the newest ${ran.length} runs`;
  return `${[total, ...parts].join(', ')}.`;
}
