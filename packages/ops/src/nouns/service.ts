import { isoTime } from '@svc/core';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { AlertWork, ServiceWork } from '../work.ts';
import type { Fences } from './fences.ts';
import { hostZone } from './host-zone.ts';
import { createKnownServers } from './known-servers.ts';
import type { Members } from './members.ts';
import { differencesOf } from './node-differences.ts';

export function createServiceWork(
  deps: OpsDeps,
  { defaultRuntime }: Pick<WorkSettings, 'defaultRuntime'>,
  fences: Pick<Fences, 'stateOf'>,
  alerts: Pick<AlertWork, 'standing'>,
  members: Pick<Members, 'isShared' | 'holder'>,
): ServiceWork {
  const version = deps.version ?? '0';
  const { nodeId } = deps.store;
  return {
    version,
    nodeId,
    ...createKnownServers(deps, members),
    async nodes() {
      const own = { heartbeatAt: isoTime(deps.clock.now()), running: deps.queue.running };
      const nodes = await deps.store.nodes.list();
      return nodes.map(({ id, host, version, startedAt, heartbeatAt, running }) => ({
        ...{ id, version, startedAt, heartbeatAt, running },
        host: host ?? deps.host ?? 'localhost',
        ...(id === nodeId ? own : {}),
      }));
    },
    differences: async () => differencesOf(await deps.store.nodes.list()),
    get timezone() {
      return { name: hostZone(), warning: deps.zoneHost?.warning?.() ?? null };
    },
    get limitedWatch() {
      return deps.projects.limitedWatch;
    },
    running: (projects) => deps.store.turns.runningIn(projects),
    logs: (after, most) => deps.logTail?.read(after, most) ?? { lines: [], last: 0, dropped: 0 },
    async settings() {
      const { settings, clients } = deps.inForce?.() ?? { settings: {}, clients: [] };
      const runtimes = await Promise.all(
        [...deps.runtimes.values()].map(async (runtime) => {
          const probe = await runtime.probe();
          const reason = probe.ready ? null : probe.reason;
          return {
            id: runtime.id,
            isDefault: runtime.id === defaultRuntime,
            ready: probe.ready,
            reason,
            holds: runtime.holds,
            fence: fences.stateOf(runtime),
          };
        }),
      );
      return { settings, clients, runtimes, alerts: await alerts.standing() };
    },
  };
}
