import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type JSX, useState } from 'react';
import type { Run } from '../../data/api-types.ts';
import { runQuery } from '../../data/run-queries.ts';
import { useEventsOf } from '../../data/use-events-of.ts';
import { useProject } from '../../data/use-project.ts';
import { firedText } from '../../model/event-text.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { runFacts } from '../../model/run-text.ts';
import { runUseText } from '../../model/usage-text.ts';
import { EventSentence } from '../../parts/EventSentence.tsx';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { isNotFound, isPruned, Missing, NoProject } from '../../parts/Missing.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ParentLink } from '../../parts/ParentLink.tsx';
import { Ago } from '../../parts/Time.tsx';
import { useIsWideWindow } from '../../parts/use-is-wide-window.ts';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { useTimeText } from '../../parts/use-time-text.ts';
import { RunActions } from './RunActions.tsx';
import { RunNetwork } from './RunNetwork.tsx';
import { eventOf } from './RunOrigin.tsx';
import { RunSandbox } from './RunSandbox.tsx';
import { RunSteps } from './RunSteps.tsx';
import styles from './Runs.module.css';

/** One run: its outcome with the reason, and its steps. */
export function RunView(): JSX.Element {
  const { slug = '', runId = '' } = useParams({ strict: false });
  const { name: project, isMissing } = useProject(slug);
  const { data: run, error } = useQuery(runQuery(slug, runId));
  const [refusal, setRefusal] = useState<Error | null>(null);
  const isWide = useIsWideWindow();
  usePageTitle(run?.trigger ?? 'Run', project);
  const back = (
    <Link to="/projects/$slug/runs" params={{ slug }}>
      Runs of {project}
    </Link>
  );
  if (run === undefined && isMissing) return <NoProject />;
  if (run === undefined && isNotFound(error)) {
    return (
      <Missing what="run" why={whyGone(error)}>
        {back}
      </Missing>
    );
  }
  const buttons = run === undefined ? null : <RunActions run={run} onRefusal={setRefusal} />;
  return (
    <>
      <ParentLink>{back}</ParentLink>
      <Heading title={run?.trigger ?? 'Run'}>{isWide ? buttons : null}</Heading>
      {isWide ? null : <div className={styles['actions']}>{buttons}</div>}
      {refusal === null ? null : (
        <p role="alert" className={styles['refusal']}>
          {refusal.message}
        </p>
      )}
      {run === undefined ? <NotYet error={error} /> : <Content run={run} />}
    </>
  );
}

function NotYet({ error }: { readonly error: Error | null }): JSX.Element {
  return error === null ? <Loading /> : <ErrorNotice error={error} />;
}

function Content({ run }: { readonly run: Run }): JSX.Element {
  const use = runUseText(run);
  const facts = useTimeText((now) => runFacts(run, now).join(', '));
  return (
    <>
      <Outcome run={run} />
      <p className={styles['facts']}>{facts}</p>
      <FiredBy run={run} />
      {use === null ? null : <p className={styles['facts']}>{inertText(use)}</p>}
      <RunSandbox run={run} />
      <Refused run={run} />
      <RunNetwork run={run} />
      <RunSteps run={run} />
    </>
  );
}

function FiredBy({ run }: { readonly run: Run }): JSX.Element | null {
  const event = eventOf(run, useEventsOf(run.project, [run]));
  if (event === undefined) return null;
  return (
    <p className={styles['facts']}>
      <EventSentence slug={run.project} event={event} words={firedText(event)} />
    </p>
  );
}

function Outcome({ run }: { readonly run: Run }): JSX.Element {
  const { word, tone } = stateLabelOf(run);
  const { reason, startedAt, claimedAt, state } = run;
  return (
    <Notice tone={tone} role="status" title={word}>
      {reason === null ? null : <p>{inertText(reason)}</p>}
      {state === 'ended' ? null : (
        <p>
          {startedAt === null ? 'Queued' : 'Started'} <Ago at={startedAt ?? claimedAt} />.
        </p>
      )}
    </Notice>
  );
}

function Refused({ run: { denied } }: { readonly run: Run }): JSX.Element | null {
  if (denied.length === 0) return null;
  const entries = [...new Set(denied.map(({ tool, reason }) => `${tool}: ${reason}`))];
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">Denied tool calls</h2>
      <ul className={styles['refused']}>
        {entries.map((entry) => (
          <li key={entry}>{inertText(entry)}</li>
        ))}
      </ul>
    </section>
  );
}

function whyGone(error: Error | null): string {
  return isPruned(error)
    ? 'Runs this old were removed by retention.'
    : 'It may belong to another project.';
}
