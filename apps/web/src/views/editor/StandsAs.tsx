import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { triggersQuery } from '../../data/queries.ts';
import type { StoredTrigger, Trigger } from '../../data/shapes.ts';
import { setEnabled } from '../../data/trigger-changes.ts';
import { EVENT_TIMES } from '../../model/describe.ts';
import { isSecondCurator, SECOND_CURATOR } from '../../model/entries.ts';
import { inertText } from '../../model/inert.ts';
import type { Tone } from '../../model/outcomes.ts';
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
  const listed = useQuery(triggersQuery(slug)).data?.triggers.find((each) => each.name === name);
  const noWriting = useNoWriting(slug);
  const arm = useMutation({
    mutationFn: () => setEnabled({ slug, name }, true),
    onMutate: () => setRefusal(null),
    onError: setRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <Notice tone={toneOf(enabled, listed)} role="status">
      <div className={styles['standing']}>
        <div>
          <p>
            {enabled
              ? `${inertText(name)} is in project.yaml, and it is on.`
              : `${inertText(name)} is in project.yaml. It is off until you switch it on.`}
          </p>
          {listed?.trigger.type === 'event' ? <EventStanding listed={listed} /> : null}
        </div>
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

function toneOf(enabled: boolean, listed: Trigger | undefined): Tone {
  if (!enabled) return 'idle';
  return listed !== undefined && isSecondCurator(listed) ? 'warn' : 'ok';
}

/** What an event trigger waits for, and when it last fired. */
function EventStanding({ listed }: { readonly listed: Trigger }): JSX.Element {
  const { name, enabled, lastRun } = listed;
  return (
    <p className={styles['hint']}>
      {enabled ? `${standingText(listed)} ` : null}
      {lastRun === null ? (
        'It has never fired.'
      ) : (
        <>
          It{' '}
          <Link
            to="/projects/$slug/runs/$runId"
            params={{ slug: lastRun.project, runId: lastRun.id }}
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

function standingText(listed: Trigger): string {
  if (isSecondCurator(listed)) return SECOND_CURATOR;
  const { on } = listed.trigger as { readonly on: string };
  const when = EVENT_TIMES[on] ?? on;
  return `It is armed: it fires ${when.charAt(0).toLowerCase()}${when.slice(1)}.`;
}
