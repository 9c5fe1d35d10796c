import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Heading } from '../parts/Heading.tsx';
import { Notice } from '../parts/Notice.tsx';

/** Stands where this version has no view yet; the REST interface has what would be shown. */
export function NotBuiltView(): JSX.Element {
  return (
    <>
      <Heading title="Not part of the page yet" />
      <Notice tone="idle" title="This version shows no view here.">
        <p>
          The REST interface has it: see <a href="/api/openapi.json">what it offers</a>.{' '}
          <Link to="/">To the overview</Link>
        </p>
      </Notice>
    </>
  );
}
