import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { MAX_QUERIED_PROJECTS } from '../../data/max-queried-projects.ts';
import { type ProjectRow, useAttentionEntries, useProjects } from '../../data/use-projects.ts';
import { useSandboxLack } from '../../data/use-sandbox-lack.ts';
import { attentionText, countText } from '../../model/describe.ts';
import { inertText } from '../../model/inert-text.ts';
import { countsOf, isAllPaused, worstState } from '../../model/project-state.ts';
import { Dot } from '../../parts/Badge.tsx';
import { Heading } from '../../parts/Heading.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { SandboxNotice } from '../../parts/SandboxNotice.tsx';
import { Until, When } from '../../parts/Time.tsx';
import { useIsWideWindow } from '../../parts/use-is-wide-window.ts';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { VerdictAcross } from '../../parts/Verdict.tsx';
import { NewProject } from '../new-project/NewProject.tsx';
import { PauseAll } from '../pausing/PauseAll.tsx';
import facts from './Fact.module.css';
import { FiresTonight } from './FiresTonight.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import styles from './OverviewView.module.css';
import { SinceLastVisit } from './SinceLastVisit.tsx';
import { UsageToday } from './UsageToday.tsx';

/** All projects: what is broken, what ran since the last visit, what runs tonight. */
export function OverviewView(): JSX.Element {
  usePageTitle('Overview');
  const { rows, error, isPending } = useProjects();
  const lack = useSandboxLack();
  const isWide = useIsWideWindow();
  return (
    <>
      <Heading title="Overview">
        {isWide && rows.length > 0 ? <PauseAll /> : null}
        <NewProject />
      </Heading>
      {lack === null || lack.intended ? null : <SandboxNotice lack={lack} />}
      {error !== null && rows.length === 0 ? <ErrorNotice error={error} /> : null}
      {isPending ? <Loading /> : null}
      {!isPending && error === null && rows.length === 0 ? <NoProjects /> : null}
      {rows.length > 0 ? <Content rows={rows} isStuck={lack?.required === true} /> : null}
      {/* On a phone the first screen shows only what is broken. */}
      {isWide || rows.length === 0 ? null : (
        <div>
          <PauseAll />
        </div>
      )}
    </>
  );
}

interface ContentProps {
  readonly rows: readonly ProjectRow[];
  /** Whether agents cannot start. */
  readonly isStuck: boolean;
}

function Content({ rows, isStuck }: ContentProps): JSX.Element {
  const conditions = rows.map(({ condition }) => condition);
  const counts = countsOf(conditions);
  const needy = useAttentionEntries(rows);
  const slugs = rows.map(({ project }) => project.slug);
  const silentIn = rows
    .filter(({ condition }) => condition.silent > 0)
    .map(({ project }) => project);
  const isMany = slugs.length > MAX_QUERIED_PROJECTS;
  return (
    <>
      {isStuck && attentionText(counts) === null ? null : (
        <VerdictAcross counts={counts} tone={worstState(conditions).tone} silentIn={silentIn} />
      )}
      {isMany ? <Many /> : <FiresTonight slugs={slugs} />}
      {needy === null ? <Loading /> : <NeedsAttention entries={needy} rows={rows} />}
      {isMany ? null : <SinceLastVisit slugs={slugs} />}
      <UsageToday />
      <Projects rows={rows} />
    </>
  );
}

function Many(): JSX.Element {
  return (
    <p className={facts['fact']}>
      There are more than {MAX_QUERIED_PROJECTS} projects. Recent and upcoming runs are shown on
      each project page.
    </p>
  );
}

function Projects({ rows }: { readonly rows: readonly ProjectRow[] }): JSX.Element {
  return (
    <section aria-labelledby="projects">
      <h2 id="projects" className={styles['title']}>
        Projects
      </h2>
      <ul className={styles['projects']}>
        {rows.map(({ project, condition }) => (
          <li key={project.slug} className={styles['project']} data-row>
            <Dot tone={condition.tone} name={condition.word} />
            <Link to="/projects/$slug" params={{ slug: project.slug }} className={styles['name']}>
              {inertText(project.name)}
            </Link>
            <span className={styles['quiet']}>{countText(condition.total)}</span>
            <span className={styles['next']}>
              {condition.nextFire === null ? (
                <span className={styles['quiet']}>nothing armed</span>
              ) : (
                <>
                  <When at={condition.nextFire} />{' '}
                  <span className={styles['quiet']}>
                    {isAllPaused(condition) ? (
                      'skipped while paused'
                    ) : (
                      <Until at={condition.nextFire} />
                    )}
                  </span>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoProjects(): JSX.Element {
  return <p>No projects yet. A project is a folder with a project.yaml.</p>;
}
