import { messageOf } from '@svc/core';
import { limitFault } from '../limits.ts';
import { repeat } from '../repeat.ts';
import type { SandboxDeps, SandboxLimits } from '../sandbox.ts';
import type { ControlGroup } from './cgroups.ts';
import type { Namespaces } from './namespaces.ts';
import { createUsageReader, type Usage } from './usage.ts';

const CHECK_EVERY_MS = 200;
const REMOVE_EVERY_MS = 50;
const REMOVALS = 100;

/** Watches the limits of one sandbox. */
export interface LimitWatch {
  /** Resolves with one sentence when the sandbox has reached a limit. It is then killed. */
  readonly fault: Promise<string>;
  /**
   * Checks what the kernel enforces, before anything else can react to the end of a process that it killed. Returns the
   * sentence of `fault`, or null.
   */
  checkKernel(): string | null;
  stop(): void;
}

/** Watches the limits of a sandbox, with its control group if it has one. */
export function watchLimits(
  { clock, logger }: SandboxDeps,
  limits: SandboxLimits,
  spaces: Pick<Namespaces, 'pid' | 'kill'>,
  group: ControlGroup | null,
): LimitWatch {
  const reader = createUsageReader(spaces.pid);
  let found = (_reason: string): void => {};
  const fault = new Promise<string>((resolve) => {
    found = resolve;
  });
  const judge = (usage: Usage): string | null => {
    const reason = limitFault(usage, limits);
    if (reason !== null) {
      stop();
      found(reason);
      spaces.kill();
    }
    return reason;
  };
  const { stop } = repeat(clock, CHECK_EVERY_MS, async () => {
    try {
      judge(group === null ? await reader.read() : group.usage());
    } catch (error) {
      logger.error({ error: messageOf(error) }, 'limits of a sandbox could not be checked');
    }
  });
  return {
    fault,
    checkKernel: () => (group === null ? null : judge(group.usage())),
    stop,
  };
}

/** Removes the control group of a sandbox that has ended. The last of its processes may take a moment to exit. */
export function removeGroup(
  { clock, logger }: SandboxDeps,
  group: Pick<ControlGroup, 'remove'> | null,
): void {
  if (group === null) return;
  let left = REMOVALS;
  const { stop } = repeat(clock, REMOVE_EVERY_MS, async () => {
    left -= 1;
    const isGone = await group.remove();
    if (isGone || left === 0) stop();
    if (!isGone && left === 0) logger.warn({}, 'control group of a sandbox could not be removed');
  });
}
