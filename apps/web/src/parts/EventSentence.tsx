import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { LifecycleEvent } from '../data/api-types.ts';
import { quotedName, shortName } from '../model/event-text.ts';
import { inertText } from '../model/inert-text.ts';
import styles from './EventSentence.module.css';

interface EventSentenceProps {
  readonly slug: string;
  readonly event: LifecycleEvent;
  /** The text before and after the name of the chat. */
  readonly words: readonly [before: string, after: string];
  /** Whether a long name is shortened, for narrow columns. Default: no. */
  readonly isBrief?: boolean;
}

/** Describes an event in a sentence with a link to its chat. */
export function EventSentence(props: EventSentenceProps): JSX.Element {
  const { slug, event, words, isBrief = false } = props;
  const { sessionId, chat } = event;
  const [before, after] = words;
  const name = quotedName(isBrief ? shortName(chat) : chat);
  const title = isBrief ? inertText(chat) : undefined;
  return (
    <span className={styles['sentence']}>
      {before}
      {sessionId === null ? (
        name
      ) : (
        <Link to="/projects/$slug/chats/$sessionId" params={{ slug, sessionId }} title={title}>
          {name}
        </Link>
      )}
      {after}
    </span>
  );
}
