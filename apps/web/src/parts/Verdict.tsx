import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { conditionOfEntries } from '../model/condition.ts';
import { needText, troubleText } from '../model/describe.ts';
import type { Entry } from '../model/entries.ts';
import { Notice } from './Notice.tsx';
import { Until } from './Time.tsx';
import styles from './Verdict.module.css';

interface VerdictProps {
  readonly entries: readonly Entry[];
  /** Whether names say their project. Default: no. */
  readonly isAcross?: boolean;
}

/** Whether anything is broken, in one look. */
export function Verdict({ entries, isAcross = false }: VerdictProps): JSX.Element {
  const broken = entries.filter(({ needsYou }) => needsYou);
  const need = needText(entries);
  if (need === null) return <AllFine entries={entries} />;
  const now = Date.now();
  return (
    <Notice
      tone={
        broken.some(({ state }) => state !== 'paused' && state !== 'not-armed') ? 'bad' : 'warn'
      }
      role="status"
      title={need}
    >
      {isAcross ? null : (
        <ul className={styles['list']}>
          {broken.map((entry) => (
            <li key={`${entry.source} ${entry.name}`}>
              <Link
                to="/projects/$slug"
                params={{ slug: entry.project }}
                hash={rowId(entry)}
                className={styles['name']}
              >
                {entry.name}
              </Link>{' '}
              {troubleText(entry, now)}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Id of the element that shows an entry. */
export function rowId({ source, name }: Pick<Entry, 'source' | 'name'>): string {
  return `${source}-${name}`;
}

function AllFine({ entries }: VerdictProps): JSX.Element {
  const { armed, nextFire } = conditionOfEntries(entries);
  const count = armed === 1 ? '1 trigger' : `${armed} triggers`;
  return (
    <Notice
      tone={armed === 0 ? 'idle' : 'ok'}
      role="status"
      title={
        armed === 0 ? (
          'Nothing is broken, and nothing is armed.'
        ) : (
          <>
            Everything is fine. {count} armed
            {nextFire === null ? null : (
              <span aria-hidden>
                , next fire <Until at={nextFire} />
              </span>
            )}
            .
          </>
        )
      }
    />
  );
}
