import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { LifecycleEvent } from '../data/shapes.ts';
import { quotedName } from '../model/event-words.ts';
import styles from './EventSentence.module.css';

interface EventSentenceProps {
  readonly slug: string;
  readonly event: LifecycleEvent;
  /** What stands before and after the name of its chat. */
  readonly words: readonly [before: string, after: string];
}

/** A sentence about an event, with the way to its chat. */
export function EventSentence({ slug, event, words }: EventSentenceProps): JSX.Element {
  const { sessionId, chat } = event;
  const [before, after] = words;
  return (
    <span className={styles['sentence']}>
      {before}
      {sessionId === null ? (
        quotedName(chat)
      ) : (
        <Link to="/projects/$slug/chats/$sessionId" params={{ slug, sessionId }}>
          {quotedName(chat)}
        </Link>
      )}
      {after}
    </span>
  );
}
