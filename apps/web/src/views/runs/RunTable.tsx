import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Run } from '../../data/shapes.ts';
import { inertText } from '../../model/inert.ts';
import { signOf } from '../../model/outcomes.ts';
import { lateText, nameText, tookText, whenOf } from '../../model/run-words.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Due, When } from '../../parts/Time.tsx';
import { type EventsById, eventOf, Fired } from './Fired.tsx';
import styles from './Runs.module.css';

/** Runs as a list shows them. */
export interface RunListProps {
  readonly runs: readonly Run[];
  /** The events that have started some of them. */
  readonly events: EventsById;
}

/** Runs as rows. */
export function RunTable({ runs, events }: RunListProps): JSX.Element {
  return (
    <table className={styles['table']} aria-label="Runs">
      <thead>
        <tr>
          <th className={styles['state']}>Outcome</th>
          <th className={styles['trigger']}>Trigger</th>
          <th className={styles['when']}>When</th>
          <th className={styles['took']}>Took</th>
          <th className={styles['by']}>Fired</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <td>
              <Badge {...signOf(run)} />
            </td>
            <th scope="row">
              <RunLink run={run} />
            </th>
            <td>
              <RunTime run={run} />
              <span className={styles['quiet']}>{lateText(run)}</span>
            </td>
            <td>{tookText(run) ?? '–'}</td>
            <td>
              <Fired run={run} event={eventOf(run, events)} />
            </td>
            <td className={styles['why']}>{inertText(run.reason ?? '')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of the trigger, which leads to its run. */
export function RunLink({ run }: { readonly run: Run }): JSX.Element {
  return (
    <Link
      to="/projects/$slug/runs/$runId"
      params={{ slug: run.project, runId: run.id }}
      className={styles['name']}
      aria-label={`${inertText(run.trigger)}, ${nameText(run.outcome, signOf(run).word, whenOf(run))}`}
    >
      {inertText(run.trigger)}
    </Link>
  );
}

/** When a run was due, or was asked for. */
export function RunTime({ run }: { readonly run: Run }): JSX.Element {
  return run.outcome === 'missed' ? <Due at={whenOf(run)} /> : <When at={whenOf(run)} />;
}
