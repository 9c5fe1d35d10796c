import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { inertText } from '../model/inert-text.ts';
import { countedText } from '../model/usage-text.ts';
import { Notice } from '../parts/Notice.tsx';

/** Names the system limit that delays the detection of file edits; renders nothing when there is none. */
export function WatchBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  const limited = data?.limitedWatch ?? null;
  if (limited === null) return null;
  return (
    <Notice
      tone="warn"
      role="status"
      title="Some project folders cannot be watched, so file edits are picked up late."
    >
      <p>{inertText(limited.reason)}</p>
      <p>
        Until this is fixed, edits made outside this page take effect after up to{' '}
        {limited.seconds === 1 ? 'a second' : `${limited.seconds} seconds`}
        {limited.projects === 1
          ? ' in one project.'
          : ` in ${countedText(limited.projects)} projects.`}
      </p>
    </Notice>
  );
}
