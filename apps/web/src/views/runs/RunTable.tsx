import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Run } from '../../data/api-types.ts';
import type { Column } from '../../model/columns.ts';
import { briefText } from '../../model/describe.ts';
import { inertText } from '../../model/inert-text.ts';
import { stateLabelOf } from '../../model/outcomes.ts';
import { lateText, nameText, tookText, whenOf } from '../../model/run-text.ts';
import { Badge } from '../../parts/Badge.tsx';
import { Columns } from '../../parts/Columns.tsx';
import { Due, When } from '../../parts/Time.tsx';
import { type EventsById, eventOf, RunOrigin } from './RunOrigin.tsx';
import styles from './Runs.module.css';

/** Runs for a list. */
export interface RunListProps {
  readonly runs: readonly Run[];
  /** The events that started some of them. */
  readonly events: EventsById;
}

type Key = 'outcome' | 'name' | 'when' | 'took' | 'by' | 'why';

export const RUN_COLUMNS: readonly Column<Key>[] = [
  { key: 'outcome', title: 'Outcome', width: 170, rank: 0 },
  { key: 'name', title: 'Trigger', width: 160, rank: 0, grows: true },
  { key: 'when', title: 'Time', width: 150, rank: 0 },
  { key: 'took', title: 'Duration', width: 104, rank: 1 },
  { key: 'by', title: 'Started by', width: 190, rank: 2 },
  { key: 'why', title: 'Reason', width: 180, rank: 0, grows: true },
];

interface RunTableProps extends RunListProps {
  /** Those of `RUN_COLUMNS` that fit. */
  readonly columns: readonly Column<Key>[];
}

/** Runs as rows. */
export function RunTable({ runs, events, columns }: RunTableProps): JSX.Element {
  return (
    <table className={styles['table']} aria-label="Runs">
      <Columns columns={columns} />
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            {columns.map(({ key }) =>
              key === 'name' ? (
                <th key={key} scope="row">
                  <RunLink run={run} />
                </th>
              ) : (
                <td key={key} className={styles[key]}>
                  <Cell of={key} run={run} events={events} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CellProps {
  readonly of: Exclude<Key, 'name'>;
  readonly run: Run;
  readonly events: EventsById;
}

function Cell({ of, run, events }: CellProps): JSX.Element {
  switch (of) {
    case 'outcome':
      return <Badge {...stateLabelOf(run)} />;
    case 'when':
      return (
        <>
          <RunTime run={run} />
          <span className={styles['quiet']}>{lateText(run)}</span>
        </>
      );
    case 'took':
      return <>{tookText(run) ?? '–'}</>;
    case 'by':
      return <RunOrigin run={run} event={eventOf(run, events)} isCell />;
    case 'why':
      return <>{briefText(run.reason ?? '')}</>;
  }
}

/** The name of the trigger, with a link to its run. */
export function RunLink({ run }: { readonly run: Run }): JSX.Element {
  return (
    <Link
      to="/projects/$slug/runs/$runId"
      params={{ slug: run.project, runId: run.id }}
      className={styles['name']}
      aria-label={`${inertText(run.trigger)}, ${nameText(run.outcome, stateLabelOf(run).word, whenOf(run))}`}
    >
      {inertText(run.trigger)}
    </Link>
  );
}

/** The scheduled time of a run, or the time of the request. */
export function RunTime({ run }: { readonly run: Run }): JSX.Element {
  return run.outcome === 'missed' ? <Due at={whenOf(run)} /> : <When at={whenOf(run)} />;
}
