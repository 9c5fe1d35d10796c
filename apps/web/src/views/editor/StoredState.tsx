import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import type { StoredTrigger } from '../../data/api-types.ts';
import { setEnabled } from '../../data/trigger-changes.ts';
import { briefText, endText } from '../../model/describe.ts';
import type { Entry } from '../../model/entries.ts';
import { inertText } from '../../model/inert-text.ts';
import controls from '../../parts/controls.module.css';
import { Notice } from '../../parts/Notice.tsx';
import { PausedSince } from '../../parts/PausedSince.tsx';
import { ResumeButton } from '../../parts/ResumeButton.tsx';
import { RunNow } from '../../parts/RunNow.tsx';
import { useFileReadOnly } from '../../parts/read-only.ts';
import { Ago } from '../../parts/Time.tsx';
import { TimeNotes } from '../../parts/TimeNotes.tsx';
import { EventTriggerState, useEntry } from './EventTriggerState.tsx';
import styles from './editor.module.css';

interface StoredStateProps {
  readonly slug: string;
  readonly stored: StoredTrigger;
}

/** The state of a trigger, shown while the form has no changes. */
export function StoredState({ slug, stored }: StoredStateProps): JSX.Element {
  const { name, enabled } = stored.record;
  const [refusal, setRefusal] = useState<Error | null>(null);
  const queries = useQueryClient();
  const entry = useEntry(slug, name);
  const waiting = entry?.trigger?.trigger.type === 'event' ? entry : null;
  const isHeld =
    entry?.isPaused === true ||
    entry?.needsYou === true ||
    (entry?.notArmed ?? null) !== null ||
    (entry?.silence ?? null) !== null ||
    (waiting?.remark ?? null) !== null;
  const tone = enabled ? 'ok' : 'idle';
  const noWriting = useFileReadOnly(slug);
  const arm = useMutation({
    mutationFn: () => setEnabled({ slug, name }, true),
    onMutate: () => setRefusal(null),
    onError: setRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ['project', slug] }),
  });
  return (
    <Notice tone={isHeld ? 'warn' : tone} role="status">
      <div className={styles['standing']}>
        <div>
          <p>
            {enabled
              ? `${inertText(name)} is saved in project.yaml and enabled.`
              : `${inertText(name)} is saved in project.yaml. It is disabled until you enable it.`}
          </p>
          {entry === null ? null : <StartProblems entry={entry} />}
          {entry === null ? null : <TimeNotes entry={entry} />}
          {waiting === null ? null : <EventTriggerState entry={waiting} />}
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
              Enable
            </button>
          )}
          {entry === null ? null : <ResumeButton entry={entry} onRefusal={setRefusal} />}
          <RunNow slug={slug} name={name} onRefusal={setRefusal} />
        </div>
      </div>
      {refusal === null ? null : <p className={styles['issue']}>{refusal.message}</p>}
    </Notice>
  );
}

/** Why an armed trigger does not fire, or what is unusual about it. */
function StartProblems({ entry }: { readonly entry: Entry }): JSX.Element | null {
  const { pause, isPaused, notArmed, remark, limited, trigger } = entry;
  if (pause !== null) {
    return (
      <p>
        <PausedSince {...pause} /> Its scheduled times are skipped until you resume or edit it, or a
        run succeeds.
      </p>
    );
  }
  // `EventTriggerState` shows the remark of an event trigger.
  const own = trigger?.trigger.type === 'event' ? null : remark;
  const reasons = [notArmed, own, limited, isPaused ? ALL_PAUSED : null];
  const given = [...new Set(reasons)].filter((each) => each !== null);
  if (given.length > 0) return <p>{inertText(given.join(' '))}</p>;
  const { lastRun, needsYou } = entry;
  if (!needsYou || lastRun === null) return null;
  return (
    <p>
      Last run {endText(lastRun)} <Ago at={lastRun.at} />. {briefText(lastRun.reason ?? '')}
    </p>
  );
}

const ALL_PAUSED = 'All triggers are paused: its scheduled times are skipped.';
