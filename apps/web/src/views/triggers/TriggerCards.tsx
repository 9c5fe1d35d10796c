import type { JSX } from 'react';
import { mayUseText } from '../../model/describe.ts';
import type { Entry } from '../../model/entries.ts';
import { RunStrip } from '../../parts/RunStrip.tsx';
import { rowId } from '../../parts/Verdict.tsx';
import { LastRun, Name, NextFire, Notes, State, useControls } from './cells.tsx';
import styles from './TriggerCards.module.css';

interface TriggerCardsProps {
  readonly entries: readonly Entry[];
  readonly label: string;
}

/** Triggers as cards, for narrow windows. */
export function TriggerCards({ entries, label }: TriggerCardsProps): JSX.Element {
  return (
    <ul className={styles['cards']} aria-label={label}>
      {entries.map((entry) => (
        <Card key={rowId(entry)} entry={entry} />
      ))}
    </ul>
  );
}

function Card({ entry }: { readonly entry: Entry }): JSX.Element {
  const { toggle, action, resume, menu, refusal } = useControls(entry);
  return (
    <li id={rowId(entry)} className={styles['card']} data-row>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <Name entry={entry} />
        </div>
        <State entry={entry} />
      </div>
      <div>
        <LastRun entry={entry} />
        <Notes entry={entry} />
      </div>
      {entry.invalid !== null ? null : (
        <div className={styles['line']}>
          <div className={styles['words']}>
            <NextFire entry={entry} />
          </div>
          {toggle}
        </div>
      )}
      {entry.runs.length === 0 ? null : <RunStrip project={entry.project} runs={entry.runs} />}
      <div className={styles['foot']}>
        <span className={styles['quiet']}>{mayUseText(entry)}</span>
        <div className={styles['buttons']}>
          {resume}
          {action}
          {menu}
        </div>
      </div>
      {refusal}
    </li>
  );
}
