import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../../data/service.ts';
import { dayText } from '../../model/usage-words.ts';
import styles from './Fact.module.css';

/** What all projects used today, where anything ran. */
export function Today(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  const text = data === undefined ? null : dayText(data.usageToday);
  return text === null ? null : <p className={styles['fact']}>Today: {text}</p>;
}
