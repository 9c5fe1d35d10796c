import type { JSX } from 'react';
import { inertText } from '../model/inert-text.ts';
import type { ShownLine } from '../model/line-diff.ts';
import styles from './Diff.module.css';

interface DiffProps {
  readonly lines: readonly ShownLine[];
  /** Whether long lines wrap, so that no change is out of sight. Default: they scroll. */
  readonly wraps?: boolean;
}

/** Shows removed and added lines, with sign and color, among unchanged ones. */
export function Diff({ lines, wraps = false }: DiffProps): JSX.Element {
  return (
    <section
      className={styles['diff']}
      data-wraps={wraps || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label="Changed lines"
    >
      {lines.map((line, at) => (
        <span key={at} className={styles['line']} data-sign={line?.sign ?? ' '}>
          {textOf(line)}
        </span>
      ))}
    </section>
  );
}

function textOf(line: ShownLine): string {
  if (line === null) return '…';
  const text = inertText(line.text);
  return line.sign === '' ? text : `${line.sign} ${text}`;
}
