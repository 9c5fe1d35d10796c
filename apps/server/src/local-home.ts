import type { OpenHome } from '@svc/cli';
import { silentLogger } from '@svc/core';
import { USER } from '@svc/ops';
import { createLocalFetch } from '@svc/rest-surface';
import { drain } from './draining.ts';
import { type Instance, openInstance } from './instance.ts';
import type { LocalHomeParts } from './verb-context.ts';

/** Opens a home in this process: at the first request, or, to run turns, at once. */
export async function openLocalHome(
  parts: LocalHomeParts,
  { runsTurns }: { readonly runsTurns: boolean },
): Promise<OpenHome> {
  const { home, settings, env, version } = parts;
  const { drainTimeoutMs } = settings.server;
  const open = () => openInstance({ home, settings, env, version, logger: silentLogger });
  let opened: Promise<Instance> | null = null;
  if (runsTurns) {
    opened = open();
    await (await opened).start({ schedules: false });
  }
  return {
    async fetch(request) {
      opened ??= open();
      const { ops } = await opened;
      return createLocalFetch(ops.operations, { ...USER, face: 'cli' })(request);
    },
    async close() {
      const instance = await opened?.catch(() => null);
      if (instance == null) return;
      if (!runsTurns) return instance.close(0);
      const stop = () => instance.close(drainTimeoutMs);
      const work = { running: instance.running, stop, interrupt: () => instance.close(0) };
      await drain(work, drainTimeoutMs, parts, parts.terminal);
    },
  };
}
