import type { Api, Schemas } from '@svc/client';
import { createNetworkPolicy, validHosts } from '@svc/sandbox';
import type { Settings } from '@svc/settings';

type Run = Schemas['Run'];

/** What an external agent was refused, one line without a full stop for each host; by the name of the runtime. */
export type Refusals = ReadonlyMap<string, readonly string[]>;

// As many as the API returns at once.
const NEWEST = 200;
const MOST_HOSTS = 5;
const UNLISTED = ' is not an allowed host.';

/**
 * Hosts that external agents were refused by the lists of hosts, in the newest run of each trigger, and that their
 * `hosts` does not allow now. Empty if no server responds.
 */
export async function readRefusals(
  api: Api | null,
  external: Settings['runtime']['external'],
): Promise<Refusals> {
  const found = new Map<string, readonly string[]>();
  if (api === null || Object.keys(external).length === 0) return found;
  const query = { limit: NEWEST };
  const answer = await api.GET('/api/runs', { params: { query } }).catch(() => null);
  const newest = newestOfTriggers(answer?.data?.runs ?? []);
  for (const [name, { hosts }] of Object.entries(external)) {
    const own = newest.filter(({ runtime }) => runtime === name);
    const lines = linesOf(own, name, hosts);
    if (lines.length > 0) found.set(name, lines);
  }
  return found;
}

// The list begins with the newest.
function newestOfTriggers(runs: readonly Run[]): readonly Run[] {
  const found = new Map<string, Run>();
  for (const run of runs) {
    const key = JSON.stringify([run.project, run.source, run.trigger]);
    // Earlier servers leave the record out.
    if (run.network != null && !found.has(key)) found.set(key, run);
  }
  return [...found.values()];
}

function linesOf(runs: readonly Run[], name: string, hosts: readonly string[]): readonly string[] {
  const policy = createNetworkPolicy([validHosts(hosts)]);
  const found = new Map<string, string>();
  for (const { id, network } of runs) {
    for (const { host, port, reason } of network?.refused ?? []) {
      if (!reason.includes(UNLISTED) || policy.check(host, port).allowed) continue;
      const target = `${host}:${port}`;
      if (!found.has(target)) found.set(target, id);
    }
  }
  const setting = `runtime.external.${name}.hosts`;
  return [...found]
    .slice(0, MOST_HOSTS)
    .map(([target, id]) => `${target} in run ${id}; if the agent needs it, add it to ${setting}`);
}
