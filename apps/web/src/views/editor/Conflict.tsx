import type { JSX } from 'react';
import { changedKeys, type Draft } from '../../model/draft.ts';
import { LABELS, valueText } from '../../model/draft-words.ts';
import { inertText } from '../../model/inert.ts';
import controls from '../../parts/controls.module.css';
import { Notice } from '../../parts/Notice.tsx';
import styles from './editor.module.css';
import type { Choice } from './use-editor.ts';

interface ConflictProps {
  readonly name: string;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onChoice: (choice: Choice) => void;
}

/** Shows both versions of a trigger that somebody else has changed meanwhile, and what may become of them. */
export function Conflict({ name, mine, theirs, onChoice }: ConflictProps): JSX.Element {
  const choices = { mine: 'Keep mine', theirs: 'Take theirs', top: 'Mine on top' } as const;
  return (
    <Notice tone="warn" role="alert">
      <p>
        Somebody else changed {inertText(name)} while you edited. Both versions are below; nothing
        is lost.
      </p>
      <table className={styles['versions']}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Yours</th>
            <th scope="col">In the file now</th>
          </tr>
        </thead>
        <tbody>
          {changedKeys(mine, theirs).map((key) => (
            <tr key={key}>
              <th scope="row">{LABELS[key]}</th>
              <td>{inertText(valueText(mine, key))}</td>
              <td>{inertText(valueText(theirs, key))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles['row']}>
        {(Object.keys(choices) as Choice[]).map((choice) => (
          <button
            key={choice}
            type="button"
            className={controls['button']}
            onClick={() => onChoice(choice)}
          >
            {choices[choice]}
          </button>
        ))}
      </div>
    </Notice>
  );
}
