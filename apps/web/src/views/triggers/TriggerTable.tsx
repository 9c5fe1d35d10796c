import type { JSX } from 'react';
import { mayUseText } from '../../model/describe.ts';
import type { Entry } from '../../model/entries.ts';
import { Strip } from '../../parts/Strip.tsx';
import { hasTimeNotes } from '../../parts/TimeNotes.tsx';
import { rowId } from '../../parts/Verdict.tsx';
import { LastRun, Name, NextFire, Notes, State, useControls } from './cells.tsx';
import styles from './TriggerTable.module.css';

interface TriggerTableProps {
  readonly entries: readonly Entry[];
  readonly label: string;
}

/** Triggers as rows. */
export function TriggerTable({ entries, label }: TriggerTableProps): JSX.Element {
  const hasControls = entries.some(({ source }) => source === 'trigger');
  return (
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          <th className={styles['state']}>State</th>
          <th className={styles['trigger']}>Trigger</th>
          <th className={styles['next']}>Next fire</th>
          <th>Last run</th>
          <th className={styles['strip']}>Last 10</th>
          <th className={styles['use']}>May use</th>
          {hasControls ? (
            <>
              <th className={styles['on']}>On</th>
              <th className={styles['actions']}>
                <span className={styles['unseen']}>Actions</span>
              </th>
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={rowId(entry)} entry={entry} hasControls={hasControls} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly hasControls: boolean;
}

function Row({ entry, hasControls }: RowProps): JSX.Element {
  const { toggle, action, resume, menu, refusal } = useControls(entry);
  const held = hasTimeNotes(entry);
  return (
    <>
      <tr id={rowId(entry)} data-row>
        <td>
          <State entry={entry} />
        </td>
        <th scope="row">
          <Name entry={entry} />
        </th>
        <td className={styles['fire']}>
          <NextFire entry={entry} />
        </td>
        {entry.invalid === null ? (
          <>
            <td>
              <LastRun entry={entry} />
              {entry.silence === null ? resume : null}
              {refusal}
            </td>
            <td>
              {entry.runs.length === 0 ? null : <Strip project={entry.project} runs={entry.runs} />}
            </td>
            <td className={styles['quiet']}>{mayUseText(entry)}</td>
          </>
        ) : (
          <td colSpan={3}>
            <LastRun entry={entry} />
            {refusal}
          </td>
        )}
        {hasControls ? (
          <>
            <td>{toggle}</td>
            <td>
              <div className={styles['buttons']}>
                {action}
                {menu}
              </div>
            </td>
          </>
        ) : null}
      </tr>
      {held ? (
        <tr className={styles['notes']}>
          <td />
          <td colSpan={hasControls ? 7 : 5}>
            <div className={styles['note']}>
              <Notes entry={entry} />
              {entry.silence === null ? null : resume}
            </div>
          </td>
        </tr>
      ) : null}
    </>
  );
}
