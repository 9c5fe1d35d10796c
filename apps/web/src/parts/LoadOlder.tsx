import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JSX } from 'react';
import controls from './controls.module.css';

interface LoadOlderProps {
  readonly pages: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** The plural noun for the items. */
  readonly of: string;
}

/** Loads the next page of a list; renders nothing after the last one. */
export function LoadOlder({ pages, of }: LoadOlderProps): JSX.Element | null {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  if (!hasNextPage) return null;
  return (
    <button
      type="button"
      className={controls['button']}
      disabled={isFetchingNextPage}
      onClick={() => fetchNextPage()}
    >
      Load older {of}
    </button>
  );
}
