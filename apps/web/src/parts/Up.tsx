import type { JSX, ReactNode } from 'react';
import styles from './Up.module.css';

/** The way up from a view, above its heading. */
export function Up({ children }: { readonly children: ReactNode }): JSX.Element {
  return (
    <nav aria-label="Breadcrumb" className={styles['up']}>
      {children}
    </nav>
  );
}
