import type { JSX, ReactNode } from 'react';
import type { Column } from '../../model/columns.ts';
import { mayUseText } from '../../model/describe.ts';
import type { Entry } from '../../model/entries.ts';
import { Columns } from '../../parts/Columns.tsx';
import { RunStrip } from '../../parts/RunStrip.tsx';
import { hasTimeNotes } from '../../parts/TimeNotes.tsx';
import { rowId } from '../../parts/Verdict.tsx';
import { LastRun, Name, NextFire, Notes, State, useControls } from './cells.tsx';
import styles from './TriggerTable.module.css';

type Key = 'state' | 'name' | 'next' | 'last' | 'strip' | 'use' | 'on' | 'actions';

export const TRIGGER_COLUMNS: readonly Column<Key>[] = [
  { key: 'state', title: 'State', width: 128, rank: 0 },
  { key: 'name', title: 'Trigger', width: 152, rank: 0, grows: true },
  { key: 'next', title: 'Next run', width: 146, rank: 0 },
  { key: 'last', title: 'Last run', width: 156, rank: 0, grows: true },
  { key: 'strip', title: 'Last 10', width: 163, rank: 1 },
  { key: 'use', title: 'Tools', width: 122, rank: 2 },
  { key: 'on', title: 'Enabled', width: 70, rank: 0 },
  { key: 'actions', title: 'Actions', width: 152, rank: 0 },
];

const CONTROLS: readonly Key[] = ['on', 'actions'];
// An invalid entry shows its errors in place of these columns.
const OF_RUNS: readonly Key[] = ['last', 'strip', 'use'];
const WITHOUT_RUNS: readonly Key[] = ['last', 'strip'];

interface TriggerTableProps {
  readonly entries: readonly Entry[];
  readonly label: string;
  /** Those of `TRIGGER_COLUMNS` that fit. */
  readonly columns: readonly Column<Key>[];
}

/** Triggers as rows. */
export function TriggerTable({ entries, label, columns }: TriggerTableProps): JSX.Element {
  const hasControls = entries.some(({ source }) => source === 'trigger');
  const shown = hasControls ? columns : columns.filter(({ key }) => !CONTROLS.includes(key));
  const keys = shown.map(({ key }) => key);
  return (
    <table className={styles['table']} aria-label={label}>
      <Columns columns={shown} unseen={styles['unseen']} />
      <tbody>
        {entries.map((entry) => (
          <Row key={rowId(entry)} entry={entry} keys={keys} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly entry: Entry;
  readonly keys: readonly Key[];
}

function Row({ entry, keys }: RowProps): JSX.Element {
  const { toggle, action, resume, menu, refusal } = useControls(entry);
  const isInvalid = entry.invalid !== null;
  const cells: Readonly<Record<Exclude<Key, 'name' | 'last'>, ReactNode>> = {
    state: <State entry={entry} />,
    next: <NextFire entry={entry} />,
    strip: <RunStrip project={entry.project} runs={entry.runs} />,
    use: mayUseText(entry),
    on: toggle,
    actions: (
      <div className={styles['buttons']}>
        {action}
        {menu}
      </div>
    ),
  };
  // Without runs the reason takes the place of their strip.
  const spanned = isInvalid ? OF_RUNS : entry.runs.length === 0 ? WITHOUT_RUNS : [];
  const span = keys.filter((key) => spanned.includes(key)).length;
  const cell = (key: Key): JSX.Element | null => {
    if (key === 'name') {
      return (
        <th key={key} scope="row">
          <Name entry={entry} />
        </th>
      );
    }
    if (key === 'last') {
      return (
        <td key={key} colSpan={span > 1 ? span : undefined}>
          <LastRun entry={entry} />
          {isInvalid || entry.silence !== null ? null : resume}
          {refusal}
        </td>
      );
    }
    if (spanned.includes(key)) return null;
    return (
      <td key={key} className={styles[key]}>
        {cells[key]}
      </td>
    );
  };
  return (
    <>
      <tr id={rowId(entry)} data-row>
        {keys.map(cell)}
      </tr>
      {hasTimeNotes(entry) ? (
        <tr className={styles['notes']}>
          <td />
          <td colSpan={keys.length - 1}>
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
