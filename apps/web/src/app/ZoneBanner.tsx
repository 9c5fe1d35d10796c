import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { inertText } from '../model/inert.ts';
import { Notice } from '../parts/Notice.tsx';

/** Why the service does not go by the time zone that it was asked to use; nothing while it does. */
export function ZoneBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  const warning = data?.timezone.warning ?? null;
  if (warning === null) return null;
  return (
    <Notice tone="warn" role="status" title="The time zone of the service was not accepted.">
      <p>{inertText(warning)}</p>
    </Notice>
  );
}
