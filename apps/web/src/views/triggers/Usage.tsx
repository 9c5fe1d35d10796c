import { useQuery } from '@tanstack/react-query';
import { type JSX, useState } from 'react';
import { type ProjectUsage, usageQuery } from '../../data/usage-queries.ts';
import { costText, countedText, dayText, knowsUse, ranText } from '../../model/usage-words.ts';
import { useIsWide } from '../../parts/media.ts';
import { Trouble, Waiting } from '../../parts/Waiting.tsx';
import styles from './Usage.module.css';

const DAYS = 30;

/** What a project used in the last 30 days, day by day; asked for once somebody opens it. */
export function Usage({ slug }: { readonly slug: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { data, error } = useQuery({ ...usageQuery(slug, DAYS), enabled: isOpen });
  return (
    <details
      className={styles['usage']}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={styles['summary']}>Use in the last {DAYS} days</summary>
      {data === undefined && error !== null ? <Trouble error={error} /> : null}
      {data === undefined && error === null && isOpen ? <Waiting /> : null}
      {data === undefined ? null : <Days usage={data} />}
    </details>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
});

function Days({ usage: { days, total, timezone } }: { readonly usage: ProjectUsage }): JSX.Element {
  const isWide = useIsWide();
  const used = days.filter((day) => dayText(day) !== null).reverse();
  if (used.length === 0) return <p>Nothing ran.</p>;
  const isKnown = knowsUse(total);
  const rows = [
    ...used.map(({ day, ...use }) => ({ name: DAY.format(Date.parse(day)), use })),
    { name: 'Together', use: total },
  ];
  return (
    <table className={styles['table']}>
      <caption>
        Days in {timezone}. {isKnown ? 'Costs are estimates.' : 'No use of a model is known.'}
      </caption>
      {isWide ? (
        <Figures rows={rows} isKnown={isKnown} />
      ) : (
        <Sentences rows={rows} isKnown={isKnown} />
      )}
    </table>
  );
}

interface RowsProps {
  readonly rows: readonly { readonly name: string; readonly use: ProjectUsage['total'] }[];
  /** Whether anything is known of what was used. */
  readonly isKnown: boolean;
}

/** Each figure in a column of its own. */
function Figures({ rows, isKnown }: RowsProps): JSX.Element {
  return (
    <>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Runs</th>
          <th scope="col">Chat turns</th>
          {isKnown ? (
            <>
              <th scope="col">Tokens in</th>
              <th scope="col">Tokens out</th>
              <th scope="col">Cost</th>
            </>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, use }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{countedText(use.runs)}</td>
            <td>{countedText(use.chatTurns)}</td>
            {isKnown ? (
              <>
                <td>{countedText(use.tokensIn)}</td>
                <td>{countedText(use.tokensOut)}</td>
                <td>{costText(use.cost)}</td>
              </>
            ) : null}
          </tr>
        ))}
      </tbody>
    </>
  );
}

/** For narrow windows, where figures of many digits have no room beside each other. */
function Sentences({ rows, isKnown }: RowsProps): JSX.Element {
  return (
    <>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" className={styles['words']}>
            What ran
          </th>
          {isKnown ? <th scope="col">Cost</th> : null}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, use }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className={styles['words']}>{ranText(use)}</td>
            {isKnown ? <td>{costText(use.cost)}</td> : null}
          </tr>
        ))}
      </tbody>
    </>
  );
}
