import { type JSX, useState } from 'react';
import { inertText } from '../../model/inert-text.ts';
import { beginningOf, bytesOf, isLong } from '../../model/transcript.ts';
import controls from '../../parts/controls.module.css';
import styles from './Transcript.module.css';

interface LongTextProps {
  readonly text: string;
  /** The noun for the button: "result". */
  readonly what: string;
}

/** A text as it is; a long one is shortened until it is expanded. */
export function LongText({ text, what }: LongTextProps): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && isLong(text);
  return (
    <>
      <pre className={styles['output']}>{inertText(isCut ? beginningOf(text) : text)}</pre>
      {isCut ? (
        <button type="button" className={controls['button']} onClick={() => setWhole(true)}>
          Show the full {what} ({Math.ceil(bytesOf(text) / 1024)} KiB)
        </button>
      ) : null}
    </>
  );
}
