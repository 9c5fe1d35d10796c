import type { JSX, ReactNode } from 'react';
import { inertText } from '../model/inert-text.ts';
import styles from './Heading.module.css';

interface HeadingProps {
  readonly title: string;
  /** The actions of the view. */
  readonly children?: ReactNode;
}

/** The heading of a view; it gets the focus when the view opens. */
export function Heading({ title, children }: HeadingProps): JSX.Element {
  return (
    <div className={styles['heading']}>
      <h1 className={styles['title']} tabIndex={-1}>
        {inertText(title)}
      </h1>
      <div className={styles['actions']}>{children}</div>
    </div>
  );
}
