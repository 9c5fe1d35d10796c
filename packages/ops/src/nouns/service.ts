import { isoTime } from '@svc/core';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { AlertWork, ServiceWork } from '../work.ts';
import type { Fences } from './fences.ts';
import { createKnownServers } from './known-servers.ts';
import type { Members } from './members.ts';

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
      return (await deps.store.nodes.list()).map(({ isServing: _isServing, host, ...node }) => ({
        ...node,
        host: host ?? deps.host ?? 'localhost',
        ...(node.id === nodeId ? own : {}),
      }));
    },
    get limitedWatch() {
      return deps.projects.limitedWatch;
    },
    running: (projects) => deps.store.turns.runningIn(projects),
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
