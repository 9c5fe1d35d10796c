import type { JSX, ReactNode } from 'react';
import { inertText } from '../model/inert.ts';
import styles from './Heading.module.css';

interface HeadingProps {
  readonly title: string;
  /** What can be done here. */
  readonly children?: ReactNode;
}

/** What a view is about; the focus goes here when the view is opened. */
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
