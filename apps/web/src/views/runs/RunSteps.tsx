import { useInfiniteQuery } from '@tanstack/react-query';
import { type JSX, useEffect } from 'react';
import type { Run } from '../../data/api-types.ts';
import { chatQuery } from '../../data/chat-queries.ts';
import { blocksOf, messagesOfRun } from '../../model/transcript.ts';
import controls from '../../parts/controls.module.css';
import { ErrorNotice, Loading } from '../../parts/Loading.tsx';
import { Transcript } from '../transcript/Transcript.tsx';
import styles from './Runs.module.css';

// In a chat with many runs, at most this many pages are loaded automatically to find the messages of one run.
const MOST_PAGES = 10;

/** The steps of a run; renders nothing for a run that never started. */
export function RunSteps({ run }: { readonly run: Run }): JSX.Element | null {
  if (run.sessionId === null) return null;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      <Steps run={run} sessionId={run.sessionId} />
    </section>
  );
}

function Steps({ run, sessionId }: { readonly run: Run; readonly sessionId: string }): JSX.Element {
  const pages = useInfiniteQuery(chatQuery(run.project, sessionId));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  const messages = [...(data?.pages ?? [])].reverse().flatMap((page) => page.messages);
  const own = data === undefined ? null : messagesOfRun(run, messages, !hasNextPage);
  const isFar = (data?.pages.length ?? 0) >= MOST_PAGES;
  const wantsMore = data !== undefined && own === null && !isFetchingNextPage && error === null;
  useEffect(() => {
    if (wantsMore && !isFar) void fetchNextPage();
  }, [wantsMore, isFar, fetchNextPage]);
  if (own !== null) {
    return (
      <div className={styles['steps']}>
        <Transcript blocks={blocksOf(own)} isBrief />
      </div>
    );
  }
  if (error !== null) return <ErrorNotice error={error} />;
  if (!wantsMore || !isFar) return <Loading />;
  return (
    <p>
      The steps of this run are far back in its chat.{' '}
      <button type="button" className={controls['button']} onClick={() => fetchNextPage()}>
        Load older messages
      </button>
    </p>
  );
}
