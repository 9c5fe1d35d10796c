import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { inertText } from '../model/inert.ts';
import { Notice } from '../parts/Notice.tsx';

/** Why the service does not go by the time zone that it was asked to use; nothing while it does. */
export function ZoneBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  // A server of an older version, as during an upgrade, does not report it.
  const { warning = null } = data?.timezone ?? {};
  if (warning === null) return null;
  return (
    <Notice tone="warn" role="status" title="The configured service time zone is not valid.">
      <p>{inertText(warning)}</p>
    </Notice>
  );
}
