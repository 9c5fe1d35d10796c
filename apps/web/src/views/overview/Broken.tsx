import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { ProjectRow } from '../../data/use-projects.ts';
import { type Entry, STATES } from '../../model/entries.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Until, When } from '../../parts/Time.tsx';
import { rowId } from '../../parts/Verdict.tsx';
import { LastRun } from '../triggers/cells.tsx';
import styles from './Broken.module.css';

interface BrokenProps {
  readonly entries: readonly Entry[];
  readonly rows: readonly ProjectRow[];
}

/** Every trigger that needs somebody: its name, why, and when it fires next. */
export function Broken({ entries, rows }: BrokenProps): JSX.Element | null {
  if (entries.length === 0) return null;
  const nameOf = (slug: string): string =>
    rows.find(({ project }) => project.slug === slug)?.project.name ?? slug;
  return (
    <ul className={styles['list']} aria-label="Triggers that need you">
      {entries.map((entry) => (
        <li key={`${entry.project} ${rowId(entry)}`} className={styles['entry']} data-row>
          <Badge {...STATES[entry.state]} />
          <div className={styles['name']}>
            <Link to="/projects/$slug" params={{ slug: entry.project }} hash={rowId(entry)}>
              {entry.name}
            </Link>
            <span className={styles['quiet']}>{nameOf(entry.project)}</span>
          </div>
          <div className={styles['why']}>
            {entry.notArmed === null ? <LastRun entry={entry} /> : entry.notArmed}
          </div>
          <div className={styles['next']}>
            {entry.nextFire === null ? (
              <span className={styles['quiet']}>not armed</span>
            ) : (
              <>
                <When at={entry.nextFire} />{' '}
                <span className={styles['quiet']}>
                  <Until at={entry.nextFire} />
                </span>
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
