import { ApiError } from '@svc/client';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Heading } from './Heading.tsx';
import { usePageTitle } from './title.ts';

interface MissingProps {
  /** What there is none of: "trigger". */
  readonly what: string;
  /** Why that may be. Default: it may have been renamed. */
  readonly why?: string;
  /** The way on. */
  readonly children: ReactNode;
}

/** What stands in place of something that is not there. */
export function Missing({
  what,
  why = 'It may have been renamed.',
  children,
}: MissingProps): JSX.Element {
  const title = `There is no such ${what}`;
  usePageTitle(title);
  return (
    <>
      <Heading title={title} />
      <p>
        {why} {children}
      </p>
    </>
  );
}

export function NoProject(): JSX.Element {
  return (
    <Missing what="project">
      <Link to="/">To the overview</Link>
    </Missing>
  );
}

/** Whether the service has said that there is no such thing. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'not_found';
}
