import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { RecentRun } from '../data/api-types.ts';
import { stateLabelOf } from '../model/outcomes.ts';
import { nameText } from '../model/run-text.ts';
import { TONE_ICONS } from './icons.ts';
import styles from './RunStrip.module.css';
import tones from './tones.module.css';

/** The last runs of a trigger as bars, oldest first; each links to its run. */
export function RunStrip({
  project,
  runs,
}: {
  readonly project: string;
  readonly runs: readonly RecentRun[];
}): JSX.Element {
  return (
    <ol className={styles['strip']} aria-label="Recent runs, oldest first">
      {runs.map((run) => (
        <li key={run.id}>
          <Bar project={project} run={run} />
        </li>
      ))}
    </ol>
  );
}

function Bar({ project, run }: { readonly project: string; readonly run: RecentRun }): JSX.Element {
  const { word, tone } = stateLabelOf(run);
  const Icon = TONE_ICONS[tone];
  const name = nameText(run.outcome, word, run.at);
  return (
    <Link
      to="/projects/$slug/runs/$runId"
      params={{ slug: project, runId: run.id }}
      className={`${styles['bar']} ${tone === 'idle' ? styles['hollow'] : ''} ${tones[tone]}`}
      aria-label={name}
      title={name}
    >
      <Icon size={9} strokeWidth={4} aria-hidden />
    </Link>
  );
}
