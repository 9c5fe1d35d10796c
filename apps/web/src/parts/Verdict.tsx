import { Link } from '@tanstack/react-router';
import { Fragment, type JSX } from 'react';
import type { Project } from '../data/api-types.ts';
import { attentionText, countText, entryReasonText } from '../model/describe.ts';
import type { Entry, EntryState } from '../model/entries.ts';
import { inertText } from '../model/inert-text.ts';
import type { Tone } from '../model/outcomes.ts';
import { type Counts, stateOfEntries } from '../model/project-state.ts';
import { Notice } from './Notice.tsx';
import { Until } from './Time.tsx';
import styles from './Verdict.module.css';

/** The maximum number of projects that are named. */
const MOST_NAMED = 5;

/** Summarizes what is broken in a project. */
export function Verdict({ entries }: { readonly entries: readonly Entry[] }): JSX.Element {
  const counts = stateOfEntries(entries);
  const need = attentionText(counts);
  if (need === null) return <NothingBroken counts={counts} />;
  const broken = entries.filter(({ needsYou }) => needsYou);
  const now = Date.now();
  return (
    <Notice
      tone={broken.some(({ state }) => !MILD.includes(state)) ? 'bad' : 'warn'}
      role="status"
      title={need}
    >
      <ul className={styles['list']}>
        {broken.map((entry) => (
          <li key={`${entry.source} ${entry.name}`}>
            <Link
              to="/projects/$slug"
              params={{ slug: entry.project }}
              hash={rowId(entry)}
              className={styles['name']}
            >
              {inertText(entry.name)}
            </Link>
            : {entryReasonText(entry, now)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const MILD: readonly EntryState[] = ['paused', 'not-armed', 'unready', 'limited'];

/** Summarizes what is broken in several projects, whose worst state has this tone. */
export function VerdictAcross({ counts, tone, silentIn }: AcrossProps): JSX.Element {
  const need = attentionText(counts);
  return need === null ? (
    <NothingBroken counts={counts} silentIn={silentIn} />
  ) : (
    <Notice tone={tone === 'warn' ? 'warn' : 'bad'} role="status" title={need} />
  );
}

type Place = Pick<Project, 'slug' | 'name'>;

interface AcrossProps {
  readonly counts: Counts;
  readonly tone: Tone;
  /** The projects that have silent triggers. */
  readonly silentIn: readonly Place[];
}

/** The id of the element that shows an entry. */
export function rowId({ source, name }: Pick<Entry, 'source' | 'name'>): string {
  return `${source}-${name}`;
}

interface SilentProps {
  readonly count: number;
  readonly places: readonly Place[];
}

function Silent({ count, places }: SilentProps): JSX.Element {
  const title = `No problems. ${countText(count)} ${count === 1 ? 'is' : 'are'} silent because the clock was set back.`;
  return (
    <Notice tone="warn" role="status" title={title}>
      {places.length === 0 ? null : <Places places={places} />}
    </Notice>
  );
}

/** Names the first projects of a list: "In Docs, Website and 4 more." */
function Places({ places }: { readonly places: readonly Place[] }): JSX.Element {
  const named = places.slice(0, MOST_NAMED);
  const more = places.length - named.length;
  return (
    <p>
      In{' '}
      {named.map(({ slug, name }, at) => (
        <Fragment key={slug}>
          {at === 0 ? null : ', '}
          <Link to="/projects/$slug" params={{ slug }}>
            <bdi>{inertText(name)}</bdi>
          </Link>
        </Fragment>
      ))}
      {more === 0 ? null : ` and ${more} more`}.
    </p>
  );
}

interface NothingBrokenProps {
  readonly counts: Counts;
  readonly silentIn?: readonly Place[];
}

function NothingBroken({ counts, silentIn = [] }: NothingBrokenProps): JSX.Element {
  const { armed, paused, silent, nextFire } = counts;
  if (silent > 0) return <Silent count={silent} places={silentIn} />;
  if (paused > 0) {
    const title = `No problems. ${countText(paused)} ${paused === 1 ? 'is' : 'are'} paused.`;
    return <Notice tone="idle" role="status" title={title} />;
  }
  return (
    <Notice
      tone={armed === 0 ? 'idle' : 'ok'}
      role="status"
      title={
        armed === 0 ? (
          'No problems. No triggers are armed.'
        ) : (
          <>
            Everything is fine. {countText(armed)} armed
            {nextFire === null ? null : (
              <span aria-hidden>
                , next run <Until at={nextFire} />
              </span>
            )}
            .
          </>
        )
      }
    />
  );
}
