import { type JSX, useLayoutEffect, useRef } from 'react';
import type { Block } from '../../model/transcript.ts';
import controls from '../../parts/controls.module.css';
import { Transcript } from '../transcript/Transcript.tsx';
import styles from './Chats.module.css';

const END_PX = 40;

interface LogProps {
  readonly blocks: readonly Block[];
  /** How to come by older messages; null where there are none. */
  readonly older: { readonly isLoading: boolean; readonly load: () => void } | null;
}

/** The messages of a chat. It follows new ones only while its end is in sight. */
export function Log({ blocks, older }: LogProps): JSX.Element {
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
            Older messages
          </button>
        )}
        {blocks.length === 0 ? <p className={styles['quiet']}>Nothing was said yet.</p> : null}
        <Transcript blocks={blocks} />
      </div>
    </div>
  );
}

function useFollowing(first: number | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef({ first, height: 0 });
  // Whatever makes the content grow: a message, a part that was loaded late, an opened fold.
  useLayoutEffect(() => {
    const [scrolled, grown] = [box.current, content.current];
    if (scrolled === null || grown === null) return;
    const follow = (): void => {
      if (isAtEnd.current) scrolled.scrollTop = scrolled.scrollHeight;
      before.current.height = scrolled.scrollHeight;
    };
    const watching = new ResizeObserver(follow);
    watching.observe(grown);
    follow();
    return () => watching.disconnect();
  }, []);
  // Older messages come in above: what is read stays where it is.
  useLayoutEffect(() => {
    const scrolled = box.current;
    if (scrolled === null || before.current.first === first) return;
    const { height } = before.current;
    before.current = { first, height: scrolled.scrollHeight };
    if (!isAtEnd.current) scrolled.scrollTop += scrolled.scrollHeight - height;
  }, [first]);
  const onScroll = (): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < END_PX;
  };
  return { box, content, onScroll };
}
