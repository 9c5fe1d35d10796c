import type { JSX, ReactNode } from 'react';
import type { Tone } from '../model/outcomes.ts';
import { TONE_ICONS } from './icons.ts';
import styles from './Notice.module.css';
import tones from './tones.module.css';

interface NoticeProps {
  readonly tone: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  /** Screen readers announce `status` when it changes, `alert` at once. Default: neither. */
  readonly role?: 'status' | 'alert';
}

/** A box with a message about a state. */
export function Notice({ tone, title, children, role }: NoticeProps): JSX.Element {
  const Icon = TONE_ICONS[tone];
  return (
    <div className={`${styles['notice']} ${tones[tone]}`} role={role}>
      <span className={styles['mark']}>
        <Icon size={16} strokeWidth={3} aria-hidden />
      </span>
      <div className={styles['words']}>
        {title === undefined ? null : <p className={styles['title']}>{title}</p>}
        {children}
      </div>
    </div>
  );
}
