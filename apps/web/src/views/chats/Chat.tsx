import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { Chat as ChatRecord } from '../../data/api-types.ts';
import { chatQuery } from '../../data/chat-queries.ts';
import { useIsSessionKnown, useSession } from '../../data/session.ts';
import { useChatRuntime } from '../../data/use-runtimes.ts';
import { inertText } from '../../model/inert-text.ts';
import { startsText } from '../../model/run-text.ts';
import {
  accessText,
  callsText,
  enforcedToolsText,
  isSandboxed,
  sentence,
} from '../../model/runtime-text.ts';
import { blocksOf } from '../../model/transcript.ts';
import { Badge } from '../../parts/Badge.tsx';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { isNotFound, isPruned } from '../../parts/Missing.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { ChatActions } from './ChatActions.tsx';
import styles from './Chats.module.css';
import { MessageLog } from './MessageLog.tsx';
import { Reply } from './Reply.tsx';

interface ChatProps {
  readonly slug: string;
  readonly sessionId: string;
}

/** A chat: the permissions of its agent, the messages and the reply form. */
export function Chat({ slug, sessionId }: ChatProps): JSX.Element {
  const pages = useInfiniteQuery(chatQuery(slug, sessionId));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const chat = data?.pages[0];
  const isAnswered = useIsSessionKnown();
  const user = useSession()?.user ?? '';
  if (chat === undefined || !isAnswered) {
    if (isNotFound(error)) return <NoChat slug={slug} error={error} />;
    return error === null ? <Loading /> : <ErrorNotice error={error} />;
  }
  const messages = [...(data?.pages ?? [])].reverse().flatMap((page) => page.messages);
  return (
    <section className={styles['open']} aria-labelledby="chat">
      <div className={styles['line']}>
        <h2 id="chat" className={styles['title']}>
          {inertText(chat.name)}
        </h2>
        {chat.running ? <Badge word="Running" tone="run" /> : null}
        {chat.archived ? <Badge word="Archived" tone="idle" /> : null}
      </div>
      <Origin chat={chat} />
      <Banner chat={chat} />
      <MessageLog
        blocks={blocksOf(messages)}
        removed={hasNextPage ? 0 : chat.prunedMessages}
        older={hasNextPage ? { isLoading: isFetchingNextPage, load: fetchNextPage } : null}
      />
      <Reply key={`${sessionId} ${user}`} chat={chat} />
      <ChatActions chat={chat} />
    </section>
  );
}

interface NoChatProps {
  readonly slug: string;
  readonly error: Error | null;
}

function NoChat({ slug, error }: NoChatProps): JSX.Element {
  return (
    <p>
      Chat not found. It may{' '}
      {isPruned(error)
        ? 'have been removed by retention, together with the runs of its trigger.'
        : 'belong to another project.'}{' '}
      <Link to="/projects/$slug/chats" params={{ slug }}>
        All chats
      </Link>
    </p>
  );
}

function Origin({ chat }: { readonly chat: ChatRecord }): JSX.Element | null {
  const { project: slug, trigger, forkedFrom } = chat;
  if (trigger === null && forkedFrom === null) return null;
  return (
    <p className={styles['quiet']}>
      {trigger === null ? null : (
        <Link to="/projects/$slug/runs" params={{ slug }} search={{ trigger }}>
          Runs of {inertText(trigger)}
        </Link>
      )}
      {trigger !== null && forkedFrom !== null ? ', ' : null}
      {forkedFrom === null ? null : (
        <Link to="/projects/$slug/chats/$sessionId" params={{ slug, sessionId: forkedFrom }}>
          Forked from another chat
        </Link>
      )}
    </p>
  );
}

function Banner({ chat }: { readonly chat: ChatRecord }): JSX.Element {
  const { capability, runtime, model } = chat;
  const { tools, permissionMode } = capability;
  const held = useChatRuntime(chat);
  const list = held?.holds.toolAllowList ?? 'enforced';
  const hasBash = tools.includes('Bash') && permissionMode !== 'plan';
  const isFree = hasBash || list !== 'enforced';
  const isConfined = held !== undefined && isSandboxed(held);
  const limits = [
    callsText(capability, held) ?? [],
    permissionMode === 'plan' ? 'plan mode: only read-only tools run' : [],
    list === 'none' ? [] : startsText(capability),
  ].flat();
  return (
    <Notice tone={isFree && !isConfined ? 'warn' : 'idle'}>
      <p>Can use {enforcedToolsText(capability, held)}.</p>
      {isFree ? <p>{accessText(list === 'enforced' ? 'Bash' : 'The agent', held)}</p> : null}
      {limits.length === 0 ? null : <p>{sentence(limits.join('; '))}.</p>}
      <p>
        Runs on {runtime}
        {model === null ? '' : ` with ${inertText(model)}`}.
      </p>
    </Notice>
  );
}
