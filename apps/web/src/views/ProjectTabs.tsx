import { Link, Outlet, useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useProject } from '../data/use-project.ts';
import controls from '../parts/controls.module.css';
import { Heading } from '../parts/Heading.tsx';
import { Plus } from '../parts/icons.ts';
import { NoProject } from '../parts/Missing.tsx';
import { useFileReadOnly } from '../parts/read-only.ts';
import styles from './ProjectTabs.module.css';

/** The header of a project: its name and its tabs. */
export function ProjectTabs(): JSX.Element {
  const { slug = '' } = useParams({ strict: false });
  const { name, isMissing } = useProject(slug);
  if (isMissing) return <NoProject />;
  const tab = { params: { slug }, className: styles['tab'], activeOptions: { exact: true } };
  return (
    <>
      <Heading title={name}>
        <NewTrigger slug={slug} />
      </Heading>
      <nav className={styles['tabs']} aria-label={`Project ${name}`}>
        <Link to="/projects/$slug" {...tab}>
          Triggers
        </Link>
        <Link to="/projects/$slug/runs" {...tab}>
          Runs
        </Link>
        <Link to="/projects/$slug/events" {...tab}>
          Events
        </Link>
        <Link to="/projects/$slug/chats" {...tab} activeOptions={{ exact: false }}>
          Chats
        </Link>
      </nav>
      <Outlet />
    </>
  );
}

function NewTrigger({ slug }: { readonly slug: string }): JSX.Element {
  const noWriting = useFileReadOnly(slug);
  const words = (
    <>
      <Plus size={18} aria-hidden />
      New trigger
    </>
  );
  if (noWriting !== undefined) {
    return (
      <button type="button" className={controls['primary']} disabled title={noWriting}>
        {words}
      </button>
    );
  }
  return (
    <Link
      to="/projects/$slug/triggers/new"
      params={{ slug }}
      className={controls['primary']}
      data-key="n"
    >
      {words}
    </Link>
  );
}
