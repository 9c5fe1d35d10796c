import type { JSX } from 'react';
import { briefText } from '../../model/describe.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { lateText, tookText } from '../../model/run-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import { eventOf, RunOrigin } from './RunOrigin.tsx';
import styles from './Runs.module.css';
import { RunLink, type RunListProps, RunTime } from './RunTable.tsx';

/** Runs as cards, for narrow windows. */
export function RunCards({ runs, events }: RunListProps): JSX.Element {
  return (
    <ul className={styles['cards']} aria-label="Runs">
      {runs.map((run) => (
        <li key={run.id} className={styles['card']}>
          <div className={styles['line']}>
            <RunLink run={run} />
            <Badge {...stateLabelOf(run)} />
          </div>
          <span className={styles['quiet']}>
            <RunTime run={run} />
            {[lateText(run), tookText(run)]
              .filter((fact) => fact !== null)
              .map((fact) => `, ${fact}`)}
            , <RunOrigin run={run} event={eventOf(run, events)} />
          </span>
          {run.reason === null ? null : (
            <span className={styles['why']}>{briefText(run.reason)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
