import type { JSX } from 'react';
import { changedKeys, type Draft } from '../../model/draft.ts';
import { LABELS, valueText } from '../../model/draft-text.ts';
import { inertText } from '../../model/inert-text.ts';
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

/** Shows both versions of a trigger after a concurrent edit, and the ways to resolve the conflict. */
export function Conflict({ name, mine, theirs, onChoice }: ConflictProps): JSX.Element {
  const choices = { mine: 'Keep mine', theirs: 'Use theirs', top: 'Merge my changes' } as const;
  return (
    <Notice tone="warn" role="alert">
      <p>
        {inertText(name)} changed in project.yaml while you were editing. Both versions are below;
        nothing is lost.
      </p>
      <div className={styles['compared']}>
        <table className={styles['versions']}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Current file</th>
            </tr>
          </thead>
          <tbody>
            {changedKeys(mine, theirs).map((key) => (
              <tr key={key}>
                <th scope="row">{LABELS[key]}</th>
                <td data-of="Yours">
                  <Value text={valueText(mine, key)} />
                </td>
                <td data-of="Current file">
                  <Value text={valueText(theirs, key)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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

const MOST_SHOWN = 400;

/** A field value; long ones scroll. */
function Value({ text }: { readonly text: string }): JSX.Element {
  if (text.length <= MOST_SHOWN) return <>{inertText(text)}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={styles['value']} tabIndex={0}>
      {inertText(text)}
    </div>
  );
}
