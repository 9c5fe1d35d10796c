import type { Schemas } from '@svc/client';

type Host = Schemas['RunNetwork']['reached'][number];

/** Hosts with their ports and numbers of connections: "api.github.com:443 (3), [::1]:22 (1)"; empty without hosts. */
export function hostsText(hosts: readonly Host[]): string {
  return hosts
    .map(({ host, port, count }) => `${host.includes(':') ? `[${host}]` : host}:${port} (${count})`)
    .join(', ');
}

/** Whether the processes of a run were sandboxed; null if it started none, or if unknown. */
export function sandboxText(sandbox: Schemas['Run']['sandbox']): string | null {
  if (sandbox === 'none') return 'none (commands ran without a sandbox)';
  // Earlier servers leave it out.
  return sandbox ?? null;
}
