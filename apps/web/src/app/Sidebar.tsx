import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { useProjects } from '../data/use-projects.ts';
import { useUnseen } from '../data/use-unseen.ts';
import { inertText } from '../model/inert-text.ts';
import type { Tone } from '../model/outcomes.ts';
import { attentionCount, needText } from '../model/project-state.ts';
import { countByProject } from '../model/unseen.ts';
import { Dot } from '../parts/Badge.tsx';
import { House, Mail, Settings, TONE_ICONS } from '../parts/icons.ts';
import tones from '../parts/tones.module.css';
import styles from './Sidebar.module.css';

/** Links to every project and shows its state. */
export function Sidebar({ onLeave }: { readonly onLeave?: () => void }): JSX.Element {
  const { rows, isPending, error } = useProjects();
  const { data } = useQuery(statusQuery);
  const running = countByProject(data?.running ?? []);
  const unseen = countByProject(useUnseen());
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
      {rows.length > 0 || isPending || error !== null ? null : (
        <p className={styles['none']}>None yet</p>
      )}
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
              <span className={styles['name']}>{inertText(project.name)}</span>
              <span className={styles['counts']}>
                <Count tone="run" count={running.get(project.slug)} words="running" />
                {/* Unread runs may have failed, so they have no icon of an outcome. */}
                <Count tone="idle" icon={Mail} count={unseen.get(project.slug)} words="unread" />
                <Count
                  tone="bad"
                  count={attentionCount(condition)}
                  words={needText(attentionCount(condition))}
                />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link
        to="/settings"
        className={`${styles['link']} ${styles['last']}`}
        activeProps={{ className: styles['here'] ?? '' }}
        onClick={onLeave}
      >
        <Settings size={20} aria-hidden />
        Settings
      </Link>
    </nav>
  );
}

interface CountProps {
  readonly tone: Tone;
  /** Default: the icon of the tone. */
  readonly icon?: typeof Mail;
  readonly count: number | undefined;
  readonly words: string;
}

function Count({
  tone,
  icon: Icon = TONE_ICONS[tone],
  count = 0,
  words,
}: CountProps): JSX.Element | null {
  if (count === 0) return null;
  return (
    <span className={`${styles['count']} ${tones[tone]}`} title={`${count} ${words}`}>
      <Icon size={12} strokeWidth={3} aria-hidden />
      {count}
      <span className={styles['unseen']}> {words}</span>
    </span>
  );
}
