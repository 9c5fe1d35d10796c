import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { ServiceWork } from '../work.ts';

export function createServiceWork(
  deps: OpsDeps,
  { defaultRuntime }: Pick<WorkSettings, 'defaultRuntime'>,
): ServiceWork {
  return {
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
          };
        }),
      );
      return { settings, clients, runtimes };
    },
  };
}
