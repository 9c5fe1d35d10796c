import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Heading } from '../parts/Heading.tsx';
import { Trouble } from '../parts/Waiting.tsx';

/** What stands at an address that leads nowhere. */
export function Nowhere(): JSX.Element {
  return (
    <>
      <Heading title="There is nothing at this address" />
      <p>
        It may have been renamed. <Link to="/">To the overview</Link>
      </p>
    </>
  );
}

/** What stands in place of a view that has failed. */
export function Failed({ error }: ErrorComponentProps): JSX.Element {
  return <Trouble error={error instanceof Error ? error : new Error(String(error))} />;
}
