import type { Schemas } from '@svc/client';
import { formatBytes } from './formatting.ts';

type Host = Schemas['RunNetwork']['reached'][number];

/**
 * Hosts with their ports, numbers of connections and bytes: "api.github.com:443 (3, 1.2 MB), [::1]:22 (1)"; empty
 * without hosts.
 *
 * @param more number of connections to further hosts; default: none
 */
export function hostsText(hosts: readonly Host[], more = 0): string {
  const rest = more === 0 ? [] : [`${more} to other hosts`];
  return [...hosts.map(hostText), ...rest].join(', ');
}

function hostText({ host, port, count, sent, received }: Host): string {
  const name = host.includes(':') ? `[${host}]` : host;
  const isCounted = sent !== undefined || received !== undefined;
  const size = isCounted ? `, ${formatBytes((sent ?? 0) + (received ?? 0))}` : '';
  return `${name}:${port} (${count}${size})`;
}

/** Whether the processes of a run were sandboxed; null if it started none, or if unknown. */
export function sandboxText(sandbox: Schemas['Run']['sandbox']): string | null {
  if (sandbox === 'none') return 'none (commands ran without a sandbox)';
  // Earlier servers leave it out.
  return sandbox ?? null;
}
