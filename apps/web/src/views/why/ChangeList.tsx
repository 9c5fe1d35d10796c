import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { TriggerChange } from '../../data/api-types.ts';
import type { TriggerPath } from '../../data/trigger-changes.ts';
import { changePagesQuery } from '../../data/why-queries.ts';
import { changeText, fieldText, originText } from '../../model/change-text.ts';
import { inertText } from '../../model/inert-text.ts';
import { localizeTimes } from '../../model/times.ts';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { LoadOlder } from '../../parts/LoadOlder.tsx';
import { When } from '../../parts/Time.tsx';
import { useTimeText } from '../../parts/use-time-text.ts';
import styles from './Why.module.css';

/** The changes of a trigger, newest first. */
export function ChangeList(path: TriggerPath): JSX.Element {
  const pages = useInfiniteQuery(changePagesQuery(path));
  const { data, error } = pages;
  if (data === undefined)
    return error === null ? <Loading rows={4} /> : <ErrorNotice error={error} />;
  const changes = data.pages.flatMap((page) => page.changes);
  if (changes.length === 0) return <p>No changes recorded yet.</p>;
  return (
    <>
      <ul className={styles['changes']} aria-label="Changes">
        {changes.map((change) => (
          <Change key={change.id} slug={path.slug} change={change} />
        ))}
      </ul>
      <LoadOlder pages={pages} of="changes" />
    </>
  );
}

interface ChangeProps {
  readonly slug: string;
  readonly change: TriggerChange;
}

function Change({ slug, change }: ChangeProps): JSX.Element {
  const { at, sessionId, writtenAt, reason, fields } = change;
  const why = useTimeText((now) => localizeTimes(inertText(reason ?? ''), now));
  return (
    <li className={styles['change']}>
      <p>
        <strong>{changeText(change)}</strong> <When at={at} />
        <span className={styles['quiet']}>
          , {inertText(originText(change))}
          {writtenAt === null ? null : (
            <>
              {' '}
              (file saved <When at={writtenAt} />)
            </>
          )}
        </span>{' '}
        {sessionId === null ? null : (
          <Link to="/projects/$slug/chats/$sessionId" params={{ slug, sessionId }}>
            Chat
          </Link>
        )}
      </p>
      {why === '' ? null : <p className={styles['quiet']}>{why}</p>}
      {fields.length === 0 ? null : (
        <ul className={styles['fields']}>
          {fields.map((field) => (
            <li key={field.field}>{inertText(fieldText(field))}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
