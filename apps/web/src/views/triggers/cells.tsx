import { Link } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import { briefText, issueText, placeText, reasonText, scheduleText } from '../../model/describe.ts';
import { type Entry, STATES } from '../../model/entries.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { laterText } from '../../model/times.ts';
import { triggerUseText } from '../../model/usage-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import controls from '../../parts/controls.module.css';
import { EnableSwitch } from '../../parts/EnableSwitch.tsx';
import { PausedSince } from '../../parts/PausedSince.tsx';
import { ResumeButton } from '../../parts/ResumeButton.tsx';
import { RunNow } from '../../parts/RunNow.tsx';
import { useFileReadOnly } from '../../parts/read-only.ts';
import { Ago, Due, Until, When } from '../../parts/Time.tsx';
import { hasTimeNotes, TimeNotes } from '../../parts/TimeNotes.tsx';
import tones from '../../parts/tones.module.css';
import styles from './cells.module.css';
import { EntryMenu } from './EntryMenu.tsx';

interface Cell {
  readonly entry: Entry;
}

export function State({ entry }: Cell): JSX.Element {
  return <Badge {...STATES[entry.state]} />;
}

/** The name with a link to the editor, the schedule, and the usage. */
export function Name({ entry }: Cell): JSX.Element {
  const { project: slug, name, source } = entry;
  return (
    <>
      {source === 'trigger' ? (
        <Link
          to="/projects/$slug/triggers/$name"
          params={{ slug, name }}
          className={styles['name']}
          data-key="e"
        >
          {inertText(name)}
        </Link>
      ) : (
        <span className={styles['name']}>{inertText(name)}</span>
      )}
      <span className={styles['detail']}>{scheduleText(entry)}</span>
      <Used entry={entry} />
    </>
  );
}

function Used({ entry: { trigger, schedule } }: Cell): JSX.Element | null {
  const usage = (trigger ?? schedule)?.usage;
  const text = usage === undefined ? null : triggerUseText(usage);
  return text === null ? null : <span className={styles['detail']}>{text}</span>;
}

export function NextFire({ entry }: Cell): JSX.Element {
  const { nextFire, state, notArmed, trigger } = entry;
  const later = laterText(entry.startDelayMs);
  if (nextFire !== null) {
    return (
      <>
        <When at={nextFire} zone={trigger?.schedule?.timezone ?? null} />
        <span className={styles['detail']}>
          {entry.isPaused ? 'skipped while paused' : <Until at={nextFire} />}
          {entry.isPaused || later === null ? null : `, ${later}`}
        </span>
      </>
    );
  }
  if (state === 'off' || state === 'paused') {
    return <span className={styles['detail']}>{STATES[state].word.toLowerCase()}</span>;
  }
  const waits = notArmed === null && state !== 'invalid' && trigger?.trigger.type !== 'schedule';
  return (
    <span className={styles['detail']}>
      {waits ? 'on event' : 'not armed'}
      {notArmed === null ? null : `: ${inertText(notArmed)}`}
    </span>
  );
}

/** The last run, and problems of the trigger. */
export function LastRun({ entry }: Cell): JSX.Element {
  return (
    <>
      <Newest entry={entry} />
      {entry.pause === null ? null : (
        <span className={`${styles['detail']} ${styles['tone']} ${tones['warn']}`}>
          <PausedSince {...entry.pause} />
        </span>
      )}
      {entry.remark === null ? null : (
        <span className={`${styles['detail']} ${styles['tone']} ${tones['warn']}`}>
          {briefText(entry.remark)}
        </span>
      )}
    </>
  );
}

/** The effects of its clock and zone data; null for none. */
export function Notes({ entry }: Cell): JSX.Element | null {
  if (!hasTimeNotes(entry)) return null;
  return (
    <div className={`${styles['notes']} ${styles['tone']} ${tones['warn']}`}>
      <TimeNotes entry={entry} />
    </div>
  );
}

function Newest({ entry }: Cell): JSX.Element {
  const { invalid, openRun, lastRun } = entry;
  if (invalid !== null) {
    return <Faults issues={invalid.issues} />;
  }
  if (openRun !== null) {
    return openRun.state === 'queued' ? (
      <span>Queued</span>
    ) : (
      <span>
        Started <Ago at={openRun.at} />
      </span>
    );
  }
  if (lastRun === null) return <span className={styles['detail']}>No runs yet</span>;
  const { word, tone } = stateLabelOf(lastRun);
  const reason = reasonText(entry);
  const params = { slug: entry.project, runId: lastRun.id };
  return (
    <>
      <span className={tone === 'ok' ? undefined : `${styles['tone']} ${tones[tone]}`}>
        {lastRun.outcome === 'missed' ? (
          <>
            {word}, <Due at={lastRun.at} />
          </>
        ) : (
          <>
            {word} <Ago at={lastRun.at} />
          </>
        )}
      </span>
      {lastRun.reason === null || tone === 'ok' ? null : (
        <span className={styles['detail']}>
          {reason === null ? null : `${reason} `}
          <Link
            to="/projects/$slug/runs/$runId"
            params={params}
            aria-label={`See why: ${inertText(entry.name)}, ${word.toLowerCase()}`}
          >
            See why
          </Link>
        </span>
      )}
    </>
  );
}

function Faults({ issues: [first, ...more] }: { readonly issues: Issues }): JSX.Element {
  return (
    <div className={styles['detail']}>
      <Fault issue={first} />
      {more.length === 0 ? null : (
        <details>
          <summary>and {more.length} more</summary>
          <ul className={styles['faults']}>
            {more.map((issue) => (
              <li key={`${issue.path} ${issue.message}`}>
                <Fault issue={issue} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

type Issues = NonNullable<Entry['invalid']>['issues'];

function Fault({ issue }: { readonly issue: Issues[number] | undefined }): JSX.Element {
  return (
    <>
      <strong>{placeText(issue)}</strong>: {issueText(issue)}
    </>
  );
}

/** The switch and the buttons of an entry, as far as they apply to it. */
export function useControls(entry: Entry) {
  const [refusal, setRefusal] = useState<Error | null>(null);
  const { project: slug, name, trigger } = entry;
  const path = { slug, name };
  return {
    toggle:
      trigger === null ? null : (
        <EnableSwitch {...path} enabled={trigger.enabled} onRefusal={setRefusal} />
      ),
    action: <Action entry={entry} onRefusal={setRefusal} />,
    resume: <ResumeButton entry={entry} onRefusal={setRefusal} />,
    menu: entry.source === 'trigger' ? <EntryMenu entry={entry} onRefusal={setRefusal} /> : null,
    refusal:
      refusal === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {inertText(refusal.message)}
        </p>
      ),
  };
}

interface ActionProps extends Cell {
  readonly onRefusal: (refusal: Error | null) => void;
}

function Action({ entry, onRefusal }: ActionProps): JSX.Element | null {
  const { project: slug, name, trigger, openRun, source } = entry;
  const noWriting = useFileReadOnly(slug);
  if (openRun !== null) {
    return (
      <Link
        to="/projects/$slug/runs/$runId"
        params={{ slug, runId: openRun.id }}
        className={controls['button']}
        aria-label={`Follow: ${inertText(name)}`}
      >
        Follow
      </Link>
    );
  }
  if (trigger !== null) return <RunNow slug={slug} name={name} onRefusal={onRefusal} />;
  if (source !== 'trigger') return null;
  if (noWriting !== undefined) {
    return (
      <button type="button" className={controls['button']} disabled title={noWriting}>
        Replace
      </button>
    );
  }
  return (
    <Link
      to="/projects/$slug/triggers/$name"
      params={{ slug, name }}
      className={controls['button']}
      aria-label={`Replace: ${inertText(name)}`}
    >
      Replace
    </Link>
  );
}
