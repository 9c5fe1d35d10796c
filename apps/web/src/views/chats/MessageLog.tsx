import { type JSX, useCallback, useLayoutEffect, useRef } from 'react';
import type { Block } from '../../model/transcript.ts';
import controls from '../../parts/controls.module.css';
import { Transcript } from '../transcript/Transcript.tsx';
import styles from './Chats.module.css';

const END_PX = 40;

interface MessageLogProps {
  readonly blocks: readonly Block[];
  /** The number of messages before the first that retention has removed. */
  readonly removed: number;
  /** Loads older messages; null when there are none. */
  readonly older: { readonly isLoading: boolean; readonly load: () => void } | null;
}

/** The messages of a chat. It scrolls to new messages only while the end is visible. */
export function MessageLog({ blocks, removed, older }: MessageLogProps): JSX.Element {
  const { box, content, onScroll } = useFollowing(blocks[0]?.seq);
  return (
    <div
      ref={box}
      className={styles['log']}
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached without a mouse
      tabIndex={0}
      onScroll={onScroll}
    >
      <div ref={content} className={styles['messages']}>
        {older === null ? null : (
          <button
            type="button"
            className={controls['button']}
            disabled={older.isLoading}
            onClick={older.load}
          >
            Load older messages
          </button>
        )}
        {removed === 0 ? null : (
          <p className={styles['quiet']}>
            {removed === 1 ? '1 older message was' : `${removed} older messages were`} removed by
            retention.
          </p>
        )}
        {blocks.length === 0 ? <p className={styles['quiet']}>No messages yet.</p> : null}
        <Transcript blocks={blocks} />
      </div>
    </div>
  );
}

interface Place {
  readonly block: Element;
  /** Pixels from the top of the scroll container. */
  readonly top: number;
}

function useFollowing(first: number | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const read = useRef<readonly Place[]>([]);
  const note = useCallback((): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_PX;
    read.current = placesRead(box.current, content.current);
  }, []);
  // Keeps the scroll position of the visible messages when content above grows: older messages, or a module that is
  // loaded late.
  const hold = useCallback((): void => {
    const scrolled = box.current;
    if (scrolled === null) return;
    const kept = read.current.find(({ block }) => block.isConnected);
    if (isAtEnd.current) scrolled.scrollTop = scrolled.scrollHeight;
    else if (kept !== undefined) scrolled.scrollTop += topIn(scrolled, kept.block) - kept.top;
    note();
  }, [note]);
  useLayoutEffect(() => {
    if (content.current === null) return;
    const watching = new ResizeObserver(hold);
    watching.observe(content.current);
    return () => watching.disconnect();
  }, [hold]);
  // A different first message means that older messages were loaded.
  useLayoutEffect(hold, [hold, first]);
  return { box, content, onScroll: note };
}

/** The visible blocks. Older messages may change the first block, when they include the call of a result. */
function placesRead(box: Element | null, content: Element | null): Place[] {
  if (box === null || content === null) return [];
  return [...content.querySelectorAll(':scope > :not(button)')]
    .map((block) => ({ block, top: topIn(box, block) }))
    .filter(({ block, top }) => top + block.clientHeight > 0 && top < box.clientHeight);
}

function topIn(box: Element, block: Element): number {
  return block.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
