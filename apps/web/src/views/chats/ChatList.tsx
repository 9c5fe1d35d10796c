import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Chat } from '../../data/api-types.ts';
import { chatPagesQuery } from '../../data/chat-queries.ts';
import type { ChatFilter } from '../../model/filters.ts';
import { inertText } from '../../model/inert-text.ts';
import { originText } from '../../model/run-text.ts';
import { Dot } from '../../parts/Badge.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { LoadOlder } from '../../parts/LoadOlder.tsx';
import { When } from '../../parts/Time.tsx';
import styles from './Chats.module.css';
import { NewChat } from './NewChat.tsx';

interface ChatListProps {
  readonly slug: string;
  readonly filter: ChatFilter;
  /** The selected chat; null for none. */
  readonly sessionId: string | null;
}

/** Links to every chat of a project. */
export function ChatList({ slug, filter, sessionId }: ChatListProps): JSX.Element {
  const navigate = useNavigate();
  const to = sessionId === null ? '/projects/$slug/chats' : '/projects/$slug/chats/$sessionId';
  const params = { slug, sessionId: sessionId ?? '' };
  return (
    <div className={styles['list']}>
      <div className={styles['line']}>
        <NewChat slug={slug} />
        <label className={styles['archived']}>
          <input
            type="checkbox"
            checked={filter.archived === true}
            onChange={({ target }) =>
              navigate({ to, params, search: target.checked ? { archived: true } : {} })
            }
          />
          Show archived
        </label>
      </div>
      <Chats slug={slug} filter={filter} />
    </div>
  );
}

function Chats({ slug, filter }: Omit<ChatListProps, 'sessionId'>): JSX.Element {
  const pages = useInfiniteQuery(chatPagesQuery(slug, filter));
  const { data, error } = pages;
  if (data === undefined) return error === null ? <Loading /> : <ErrorNotice error={error} />;
  const chats = data.pages.flatMap((page) => page.chats);
  if (chats.length === 0) return <p className={styles['quiet']}>No chats yet.</p>;
  return (
    <nav aria-label="Chats">
      <ul className={styles['chats']}>
        {chats.map((chat) => (
          <li key={chat.sessionId}>
            <Entry chat={chat} filter={filter} />
          </li>
        ))}
      </ul>
      <LoadOlder pages={pages} of="chats" />
    </nav>
  );
}

function Entry({ chat, filter }: { readonly chat: Chat; readonly filter: ChatFilter }) {
  const { project: slug, sessionId, name, running, archived, updatedAt } = chat;
  return (
    <Link
      to="/projects/$slug/chats/$sessionId"
      params={{ slug, sessionId }}
      search={filter}
      className={styles['chat']}
    >
      <span className={styles['line']}>
        <span className={styles['name']}>{inertText(name)}</span>
        {running ? <Dot tone="run" name="Running" /> : null}
      </span>
      <span className={styles['quiet']}>
        {inertText(originText(chat))}, last active <When at={updatedAt} />
        {archived ? ', archived' : ''}
      </span>
    </Link>
  );
}
