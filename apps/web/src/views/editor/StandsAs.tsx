import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { triggersQuery } from '../../data/queries.ts';
import type { StoredTrigger } from '../../data/shapes.ts';
import { setEnabled } from '../../data/trigger-changes.ts';
import { EVENT_TIMES } from '../../model/describe.ts';
import { SECOND_CURATOR } from '../../model/entries.ts';
import { inertText } from '../../model/inert.ts';
import controls from '../../parts/controls.module.css';
import { Notice } from '../../parts/Notice.tsx';
import { RunNow } from '../../parts/RunNow.tsx';
import { useNoWriting } from '../../parts/read-only.ts';
import { Ago } from '../../parts/Time.tsx';
import styles from './editor.module.css';

interface StandsAsProps {
  readonly slug: string;
  readonly stored: StoredTrigger;
}

/** How a trigger stands in the file, while the form holds nothing else. */
export function StandsAs({ slug, stored }: StandsAsProps): JSX.Element {
  const { name, enabled } = stored.record;
  const [refusal, setRefusal] = useState<Error | null>(null);
  const queries = useQueryClient();
  const noWriting = useNoWriting(slug);
  const arm = useMutation({
    mutationFn: () => setEnabled({ slug, name }, true),
    onMutate: () => setRefusal(null),
    onError: setRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <Notice tone={enabled ? 'ok' : 'idle'} role="status">
      <div className={styles['standing']}>
        <p>
          {enabled
            ? `${inertText(name)} is in project.yaml, and it is on.`
            : `${inertText(name)} is in project.yaml. It is off until you switch it on.`}
        </p>
        <EventStanding slug={slug} stored={stored} />
        <div className={styles['row']}>
          {enabled ? null : (
            <button
              type="button"
              className={controls['button']}
              disabled={arm.isPending || noWriting !== undefined}
              title={noWriting}
              onClick={() => arm.mutate()}
            >
              Switch on
            </button>
          )}
          <RunNow slug={slug} name={name} onRefusal={setRefusal} />
        </div>
      </div>
      {refusal === null ? null : <p className={styles['issue']}>{refusal.message}</p>}
    </Notice>
  );
}

/** What an event trigger waits for, and when it last fired; nothing for any other trigger. */
function EventStanding({ slug, stored: { record } }: StandsAsProps): JSX.Element | null {
  const { data } = useQuery(triggersQuery(slug));
  const { name, enabled, trigger } = record;
  const listed = data?.triggers.find((each) => each.name === name);
  if (trigger.type !== 'event' || listed === undefined) return null;
  const isFirst = listed.warnings?.every(({ path }) => path !== 'trigger.on') ?? true;
  const { lastRun } = listed;
  return (
    <p className={styles['hint']}>
      {enabled ? `${standingText(trigger.on, isFirst)} ` : null}
      {lastRun === null ? (
        'It has never fired.'
      ) : (
        <>
          It{' '}
          <Link
            to="/projects/$slug/runs/$runId"
            params={{ slug, runId: lastRun.id }}
            aria-label={`last fired: the run of ${inertText(name)}`}
          >
            last fired
          </Link>{' '}
          <Ago at={lastRun.claimedAt} />.
        </>
      )}
    </p>
  );
}

function standingText(on: string, isFirst: boolean): string {
  if (!isFirst) return SECOND_CURATOR;
  const when = EVENT_TIMES[on] ?? on;
  return `It is armed: it fires ${when.charAt(0).toLowerCase()}${when.slice(1)}.`;
}
