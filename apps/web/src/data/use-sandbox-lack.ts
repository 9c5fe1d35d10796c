import type { Schemas } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from './service.ts';

/** Why agents are not sandboxed; servers of earlier versions do not send `required`. */
export type SandboxLack = Pick<
  NonNullable<Schemas['Status']['sandboxLack']>,
  'reason' | 'intended'
> & { readonly required?: boolean };

/**
 * Why agents are not sandboxed; null if they are, or while this is unknown. Components that use it render again only when this
 * changes, not with each status update.
 */
export function useSandboxLack(): SandboxLack | null {
  const { data = null } = useQuery({
    ...statusQuery,
    select: ({ sandboxLack }): SandboxLack | null => sandboxLack ?? null,
  });
  return data;
}
