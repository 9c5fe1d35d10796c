import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { triggersQuery } from '../../data/queries.ts';
import { scheduleText } from '../../model/describe.ts';
import { type Entry, entriesOf } from '../../model/entries.ts';
import { inertText } from '../../model/inert-text.ts';
import { Ago } from '../../parts/Time.tsx';
import styles from './editor.module.css';

/** The entry of a trigger; null until it is known. */
export function useEntry(slug: string, name: string): Entry | null {
  const { data } = useQuery(triggersQuery(slug));
  const entries = data === undefined ? [] : entriesOf(slug, data, Date.now());
  return entries.find((each) => each.name === name && each.trigger !== null) ?? null;
}

/** What an event trigger waits for or why it does not run, and when it last fired. */
export function EventTriggerState({ entry }: { readonly entry: Entry }): JSX.Element {
  const { project: slug, name, trigger, isArmed, remark } = entry;
  const lastRun = trigger?.lastRun ?? null;
  const when = scheduleText(entry);
  const armed = `Armed: fires ${when.charAt(0).toLowerCase()}${when.slice(1)}. `;
  return (
    <p className={styles['hint']}>
      {remark === null ? (isArmed ? armed : null) : `${inertText(remark)} `}
      {lastRun === null ? (
        'It has not fired yet.'
      ) : (
        <>
          It{' '}
          <Link
            to="/projects/$slug/runs/$runId"
            params={{ slug, runId: lastRun.id }}
            aria-label={`last fired: run of ${inertText(name)}`}
          >
            last fired
          </Link>{' '}
          <Ago at={lastRun.claimedAt} />.
        </>
      )}
    </p>
  );
}
