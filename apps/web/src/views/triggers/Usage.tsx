import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { type ProjectUsage, usageQuery } from '../../data/usage-queries.ts';
import { costText, countedText, dayText, isUsageKnown } from '../../model/usage-text.ts';
import { useHasWidth } from '../../parts/container-width.ts';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import styles from './Usage.module.css';

const DAYS = 30;
/** The width from which columns of large numbers fit. */
const COLUMNS_PX = 640;

/** The usage of a project in the last 30 days, by day; fetched when it is expanded. */
export function Usage({ slug }: { readonly slug: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...usageQuery(slug, DAYS), enabled: isOpen });
  return (
    <details
      className={styles['usage']}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles['summary']}>Usage in the last {DAYS} days</summary>
      {data === undefined && error !== null ? <ErrorNotice error={error} /> : null}
      {data === undefined && error === null && isOpen ? <Loading /> : null}
      {data === undefined ? null : <Days usage={data} />}
    </details>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
});

function Days({ usage: { days, total, timezone } }: { readonly usage: ProjectUsage }): JSX.Element {
  const isWide = useHasWidth(COLUMNS_PX);
  const used = days.filter((day) => dayText(day) !== null).reverse();
  if (used.length === 0) return <p>No runs.</p>;
  const isKnown = isUsageKnown(total);
  const columns = columnsOf(isWide, isKnown);
  const rows = [
    ...used.map(({ day, ...use }) => ({ name: DAY.format(Date.parse(day)), use })),
    { name: 'Total', use: total },
  ];
  return (
    <table className={styles['table']}>
      <caption>
        Days in {timezone}. {isKnown ? 'Costs are estimates.' : 'No model usage is recorded.'}
      </caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {columns.map(({ title, className }) => (
            <th key={title} scope="col" className={className}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, use }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map(({ title, className, textOf }) => (
              <td key={title} className={className}>
                {textOf(use)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Column {
  readonly title: string;
  readonly textOf: (use: ProjectUsage['total']) => string;
  readonly className?: string | undefined;
}

const COUNTS: readonly Column[] = [
  { title: 'Runs', textOf: ({ runs }) => countedText(runs) },
  { title: 'Chat turns', textOf: ({ chatTurns }) => countedText(chatTurns) },
];
const TOKENS: readonly Column[] = [
  { title: 'Tokens in', textOf: ({ tokensIn }) => countedText(tokensIn) },
  { title: 'Tokens out', textOf: ({ tokensOut }) => countedText(tokensOut) },
];
const COST: Column = { title: 'Cost', textOf: ({ cost }) => costText(cost) };
/** For narrow windows, where columns of large numbers do not fit. */
const WORDS: Column = {
  ...{ title: 'Usage', className: styles['words'] },
  textOf: (use) => dayText(use) ?? '',
};

/** The columns after the day; usage columns only when any usage is known. */
function columnsOf(isWide: boolean, isKnown: boolean): readonly Column[] {
  if (!isWide) return [WORDS];
  return isKnown ? [...COUNTS, ...TOKENS, COST] : COUNTS;
}
