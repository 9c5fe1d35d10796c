import type { JSX } from 'react';
import type { StateLabel, Tone } from '../model/outcomes.ts';
import styles from './Badge.module.css';
import { TONE_ICONS } from './icons.ts';
import tones from './tones.module.css';

/** A state as a word with its icon. */
export function Badge({ word, tone }: StateLabel): JSX.Element {
  const Icon = TONE_ICONS[tone];
  return (
    <span className={`${styles['badge']} ${tones[tone]}`}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** A state as an icon alone; screen readers read `name`. */
export function Dot({ tone, name }: { readonly tone: Tone; readonly name: string }): JSX.Element {
  const Icon = TONE_ICONS[tone];
  return (
    <span className={`${styles['dot']} ${tones[tone]}`} role="img" aria-label={name}>
      <Icon size={12} strokeWidth={3} aria-hidden />
    </span>
  );
}
