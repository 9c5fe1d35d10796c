import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../../data/service.ts';
import { dayText, limitText } from '../../model/usage-text.ts';
import styles from './Fact.module.css';

/** The usage of all projects today, with the daily limit; renders nothing when nothing ran. */
export function UsageToday(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  if (data === undefined) return null;
  const used = dayText(data.usageToday);
  const limit = data.costPerDay === null ? null : limitText(data.costPerDay);
  const text = [used ?? [], limit ?? []].flat().join('; ');
  return text === '' ? null : <p className={styles['fact']}>Today: {text}.</p>;
}
