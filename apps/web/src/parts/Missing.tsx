import { ApiError } from '@svc/client';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { Heading } from './Heading.tsx';
import { usePageTitle } from './use-page-title.ts';

interface MissingProps {
  /** The kind of thing that was not found: "trigger". */
  readonly what: string;
  /** The likely cause. Default: it may have been renamed. */
  readonly why?: string;
  /** Links to other views. */
  readonly children: ReactNode;
}

/** Replaces a view whose subject does not exist. */
export function Missing({
  what,
  why = 'It may have been renamed or removed.',
  children,
}: MissingProps): JSX.Element {
  const title = `${what.charAt(0).toUpperCase()}${what.slice(1)} not found`;
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
      <Link to="/">Go to the overview</Link>
    </Missing>
  );
}

/** Whether retention removed the subject, or may have. */
export function isPruned(error: Error | null): boolean {
  return error instanceof ApiError && error.pruned;
}

/** Whether the service reported that the subject does not exist. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'not_found';
}
