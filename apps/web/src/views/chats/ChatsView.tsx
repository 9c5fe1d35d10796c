import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useProject } from '../../data/use-project.ts';
import { readChatFilter } from '../../model/filters.ts';
import { useHasWidth } from '../../parts/container-width.ts';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Chat } from './Chat.tsx';
import { ChatList } from './ChatList.tsx';
import styles from './Chats.module.css';

/** The width from which the list and a chat fit side by side. */
const SIDES_PX = 720;

/** The chats of a project beside the selected one; in narrow windows one or the other. */
export function ChatsView(): JSX.Element {
  const { slug = '', sessionId } = useParams({ strict: false });
  const filter = readChatFilter(useSearch({ strict: false }));
  usePageTitle('Chats', useProject(slug).name);
  const isWide = useHasWidth(SIDES_PX);
  const list = <ChatList slug={slug} filter={filter} sessionId={sessionId ?? null} />;
  const chat =
    sessionId === undefined ? null : <Chat key={sessionId} slug={slug} sessionId={sessionId} />;
  if (isWide) {
    return (
      <div className={styles['sides']}>
        {list}
        {chat ?? <p className={styles['quiet']}>Select a chat or start a new one.</p>}
      </div>
    );
  }
  if (chat === null) return list;
  return (
    <>
      <Link to="/projects/$slug/chats" params={{ slug }} search={filter}>
        All chats
      </Link>
      {chat}
    </>
  );
}
