import type { JSX, ReactNode } from 'react';
import styles from './ParentLink.module.css';

/** The link to the parent view, above the heading. */
export function ParentLink({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <nav aria-label="Breadcrumb" className={styles['up']}>
      {children}
    </nav>
  );
}
