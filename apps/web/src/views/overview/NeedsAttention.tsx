import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { ProjectRow } from '../../data/use-projects.ts';
import { countText, endText, issueText, placeText } from '../../model/describe.ts';
import { type Entry, STATES } from '../../model/entries.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { capitalized } from '../../model/run-text.ts';
import { Badge, Dot } from '../../parts/Badge.tsx';
import { useHasWidth } from '../../parts/container-width.ts';
import { PausedSince } from '../../parts/PausedSince.tsx';
import { Ago, Until, When } from '../../parts/Time.tsx';
import { rowId } from '../../parts/Verdict.tsx';
import styles from './NeedsAttention.module.css';

interface NeedsAttentionProps {
  readonly entries: readonly Entry[];
  readonly rows: readonly ProjectRow[];
}

/** The width from which a trigger is one line of columns. */
const COLUMNS_PX = 680;

/** Lists the triggers that need attention: name, reason, and next run. */
export function NeedsAttention({ entries, rows }: NeedsAttentionProps): JSX.Element | null {
  const isWide = useHasWidth(COLUMNS_PX);
  if (entries.length === 0) return null;
  const rowOf = (slug: string) => rows.find(({ project }) => project.slug === slug);
  const nameOf = (slug: string): string => rowOf(slug)?.project.name ?? slug;
  return (
    <ul
      className={styles['list']}
      data-wide={isWide || undefined}
      aria-label="Triggers that need attention"
    >
      {entries.map((entry) => {
        const { word, tone } = STATES[entry.state];
        return (
          <li key={`${entry.project} ${rowId(entry)}`} className={styles['entry']} data-row>
            {isWide ? <Badge word={word} tone={tone} /> : <Dot tone={tone} name={word} />}
            <div className={styles['name']}>
              <Link to="/projects/$slug" params={{ slug: entry.project }} hash={rowId(entry)}>
                <bdi>{inertText(entry.name)}</bdi>
              </Link>
              {isWide ? <Project name={nameOf(entry.project)} /> : null}
            </div>
            <div className={styles['why']}>
              {isWide ? null : <Project name={nameOf(entry.project)} />}
              {entry.pause === null ? null : (
                <>
                  <PausedSince {...entry.pause} />{' '}
                </>
              )}
              <Why entry={entry} />
            </div>
            {entry.source === 'file' ? (
              <StillArmed count={rowOf(entry.project)?.condition.armed ?? 0} />
            ) : (
              <NextFire entry={entry} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Project({ name }: { readonly name: string }): JSX.Element {
  return (
    <span className={styles['project']}>
      <bdi>{inertText(name)}</bdi>
    </span>
  );
}

function Why({ entry }: { readonly entry: Entry }): JSX.Element {
  const { invalid, lastRun, openRun, notArmed, problem, limited } = entry;
  if (invalid !== null) {
    const [issue] = invalid.issues;
    return (
      <>
        <strong>{placeText(issue)}</strong> <bdi>{issueText(issue)}</bdi>
      </>
    );
  }
  const idle = notArmed ?? problem ?? limited;
  if (idle !== null && (lastRun === null || stateLabelOf(lastRun).tone !== 'bad')) {
    return <span>{inertText(idle)}</span>;
  }
  if (lastRun === null) return <span>No runs yet.</span>;
  const end = endText(lastRun);
  return (
    <>
      <Link
        to="/projects/$slug/runs/$runId"
        params={{ slug: entry.project, runId: lastRun.id }}
        className={styles['end']}
      >
        <span className={styles['unseen']}>See why: {inertText(entry.name)}, </span>
        {capitalized(end)} <Ago at={lastRun.at} />
      </Link>{' '}
      {openRun === null ? null : 'Running again now. '}
      <bdi>{inertText(lastRun.reason ?? '')}</bdi>
    </>
  );
}

/** The number of last good triggers of an unreadable file. */
function StillArmed({ count }: { readonly count: number }): JSX.Element {
  return (
    <div className={styles['next']}>
      <span className={styles['quiet']}>
        {count === 0 ? 'nothing armed' : `${countText(count)} still armed`}
      </span>
    </div>
  );
}

function NextFire({ entry }: { readonly entry: Entry }): JSX.Element {
  return (
    <div className={styles['next']}>
      {entry.nextFire === null ? (
        <span className={styles['quiet']}>{entry.isArmed ? 'on event' : 'not armed'}</span>
      ) : (
        <>
          <When at={entry.nextFire} />
          <span className={styles['until']}>
            {entry.isPaused ? 'skipped while paused' : <Until at={entry.nextFire} />}
          </span>
        </>
      )}
    </div>
  );
}
