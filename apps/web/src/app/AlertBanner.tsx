import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { failingText, waitingText } from '../model/alert-text.ts';
import { inertText } from '../model/inert-text.ts';
import { Notice } from '../parts/Notice.tsx';

// A sink can fail some time after the run that it reports, and no change event announces it.
const LOOK_AGAIN_MS = 60_000;
const MOST_NAMED = 3;

/** Lists the alert sinks that fail and why; renders nothing while all of them work. */
export function AlertBanner(): JSX.Element | null {
  const { data } = useQuery({ ...statusQuery, refetchInterval: LOOK_AGAIN_MS });
  const { failing = [], waiting = 0 } = data?.alerts ?? {};
  if (failing.length === 0) return null;
  return (
    <Notice tone="warn" role="status" title={failingText(failing.map(({ sink }) => sink))}>
      {failing.slice(0, MOST_NAMED).map(({ sink, error }) => (
        <p key={sink}>
          {inertText(sink)}: {inertText(error)}
        </p>
      ))}
      <p>
        {waitingText(waiting)} <Link to="/settings">View alerts</Link>
      </p>
    </Notice>
  );
}
