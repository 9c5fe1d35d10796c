import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { statusQuery } from '../data/service.ts';
import { inertText } from '../model/inert-text.ts';
import { Notice } from '../parts/Notice.tsx';

/** Shows why the configured time zone is not used; renders nothing when it is valid. */
export function ZoneBanner(): JSX.Element | null {
  const { data } = useQuery(statusQuery);
  // During an upgrade a server of an older version may answer, which does not report the time zone.
  const { warning = null } = data?.timezone ?? {};
  if (warning === null) return null;
  return (
    <Notice tone="warn" role="status" title="The configured service time zone is not valid.">
      <p>{inertText(warning)}</p>
    </Notice>
  );
}
