import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useProjects } from '../data/use-projects.ts';
import { Dot } from '../parts/Badge.tsx';
import { House } from '../parts/icons.ts';
import styles from './Sidebar.module.css';

/** Leads to every project, and says how each is. */
export function Sidebar({ onLeave }: { readonly onLeave?: () => void }): JSX.Element {
  const { rows } = useProjects();
  return (
    <nav className={styles['nav']} aria-label="Projects">
      <Link
        to="/"
        className={styles['link']}
        activeProps={{ className: styles['here'] ?? '' }}
        onClick={onLeave}
      >
        <House size={20} aria-hidden />
        Overview
      </Link>
      <h2 className={styles['title']}>Projects</h2>
      <ul className={styles['list']}>
        {rows.map(({ project, condition }) => (
          <li key={project.slug}>
            <Link
              to="/projects/$slug"
              params={{ slug: project.slug }}
              className={styles['link']}
              activeProps={{ className: styles['here'] ?? '' }}
              onClick={onLeave}
            >
              <Dot tone={condition.tone} name={condition.word} />
              <span className={styles['name']}>{project.name}</span>
              {condition.needYou > 0 ? (
                <span className={styles['count']} title={`${condition.needYou} need you`}>
                  {condition.needYou}
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
