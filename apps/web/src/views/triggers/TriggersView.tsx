import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { triggersQuery, upcomingQuery } from '../../data/queries.ts';
import { useAllPaused } from '../../data/use-all-paused.ts';
import { useProject } from '../../data/use-project.ts';
import { issueText, placeText } from '../../model/describe.ts';
import { type Entry, entriesOf, triggersIn } from '../../model/entries.ts';
import { useColumns } from '../../parts/container-width.ts';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { useFileReadOnly } from '../../parts/read-only.ts';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Verdict } from '../../parts/Verdict.tsx';
import { ConfirmFile } from './ConfirmFile.tsx';
import { Timeline } from './Timeline.tsx';
import { TriggerCards } from './TriggerCards.tsx';
import { TRIGGER_COLUMNS, TriggerTable } from './TriggerTable.tsx';
import { Usage } from './Usage.tsx';

/** The triggers of a project: what is broken, the next run and the last run of each. */
export function TriggersView(): JSX.Element {
  const { slug = '' } = useParams({ strict: false });
  usePageTitle(useProject(slug).name);
  const { data, error } = useQuery(triggersQuery(slug));
  if (error !== null && data === undefined) return <ErrorNotice error={error} />;
  if (data === undefined) return <Loading rows={6} />;
  const entries = entriesOf(slug, data, Date.now());
  if (entries.length === 0) return <NoTriggers slug={slug} />;
  const broken = entries.find(({ source }) => source === 'file');
  const triggers = triggersIn(entries);
  return (
    <>
      {broken === undefined ? null : <BrokenFile entry={broken} triggers={triggers} />}
      {broken === undefined || triggers.some(({ needsYou }) => needsYou) ? (
        <Verdict entries={triggers} />
      ) : null}
      <Entries entries={triggers.filter(({ source }) => source === 'trigger')} label="Triggers" />
      <Upcoming slug={slug} />
      <Usage slug={slug} />
      <Legacy entries={triggers.filter(({ source }) => source === 'schedule')} />
    </>
  );
}

interface EntriesProps {
  readonly entries: readonly Entry[];
  readonly label: string;
}

function Entries(props: EntriesProps): JSX.Element | null {
  const columns = useColumns(TRIGGER_COLUMNS);
  if (props.entries.length === 0) return null;
  if (columns === null) return <TriggerCards {...props} />;
  return <TriggerTable {...props} columns={columns} />;
}

function NoTriggers({ slug }: { readonly slug: string }): JSX.Element {
  const noWriting = useFileReadOnly(slug);
  return (
    <p>
      No triggers yet. A trigger starts an agent on a schedule.{' '}
      {noWriting === undefined ? (
        <Link to="/projects/$slug/triggers/new" params={{ slug }}>
          New trigger
        </Link>
      ) : null}
    </p>
  );
}

type InvalidEntry = NonNullable<Entry['invalid']>;
type InvalidKind = InvalidEntry['kind'];
type Issue = InvalidEntry['issues'][number];

interface BrokenFileProps {
  readonly entry: Entry;
  /** The last good triggers, which the service still runs. */
  readonly triggers: readonly Entry[];
}

function BrokenFile({ entry, triggers }: BrokenFileProps): JSX.Element {
  const issues = entry.invalid?.issues ?? [];
  const kind = entry.invalid?.kind;
  return (
    <Notice tone="bad" role="status" title={titleOf(kind, issues)}>
      {kind === 'unreadable' || kind === 'unconfirmed' ? (
        <p>
          {triggers.some(({ isArmed }) => isArmed)
            ? 'The last valid triggers stay armed.'
            : 'None of its triggers are armed.'}{' '}
          Nothing can be saved until it is {kind === 'unconfirmed' ? 'confirmed' : 'fixed'}.
        </p>
      ) : null}
      <ul>
        {issues.map((issue) => (
          <li key={`${issue.line} ${issue.column} ${issue.message}`}>
            {placeText(issue)}: {issueText(issue)}
          </li>
        ))}
      </ul>
      {kind === 'unconfirmed' ? <ConfirmFile slug={entry.project} /> : null}
    </Notice>
  );
}

function titleOf(kind: InvalidKind | undefined, issues: readonly Issue[]): string {
  if (kind === 'unconfirmed') return 'An agent may have changed project.yaml.';
  if (kind === 'unreadable') return `project.yaml cannot be read: ${placeText(issues[0])}.`;
  return 'project.yaml has invalid settings.';
}

function Upcoming({ slug }: { readonly slug: string }): JSX.Element | null {
  const { data } = useQuery(upcomingQuery(slug, 24));
  const isPaused = useAllPaused();
  return data === undefined ? null : <Timeline upcoming={data} isPaused={isPaused} />;
}

function Legacy({ entries }: { readonly entries: readonly Entry[] }): JSX.Element | null {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="legacy">
      <h2 id="legacy">Legacy schedules</h2>
      <p>
        These entries are in the older <code>schedules</code> map of project.yaml and are read-only
        here. To edit one, move it to <code>triggers</code>: put <code>type: schedule</code> and its
        cron or interval under <code>trigger</code>, and its prompt under <code>run</code>.
      </p>
      <Entries entries={entries} label="Legacy schedules" />
    </section>
  );
}
