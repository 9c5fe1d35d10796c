import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { JSX } from 'react';
import controls from './controls.module.css';

interface OlderProps {
  readonly pages: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** What there is more of, in the plural. */
  readonly of: string;
}

/** Asks for the next page of something; nothing where there is none. */
export function Older({ pages, of }: OlderProps): JSX.Element | null {
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
