import { messageOf } from '@svc/core';
import type { FenceVerdict } from '../runtime.ts';
import type { FenceCase, FenceSubject } from './fence-case.ts';
import { runFenceCase } from './run-fence-case.ts';

/** Tries cases one after the other, up to the first that does not hold. Never throws: what cannot be tried does not hold. */
export async function tryFence(
  subject: FenceSubject,
  cases: readonly FenceCase[],
): Promise<FenceVerdict> {
  try {
    for (const fenceCase of cases) {
      const [fault] = await runFenceCase(subject, fenceCase);
      if (fault !== undefined) {
        return { holds: false, reason: `“${fenceCase.name}” does not hold: ${fault}.` };
      }
    }
    return { holds: true };
  } catch (error) {
    return { holds: false, reason: `It could not be tried: ${messageOf(error)}.` };
  }
}

/** Keeps verdicts, so that a fence is tried once and not at each start. */
export interface FenceMemory {
  get(key: string): Promise<FenceVerdict | null>;
  set(key: string, verdict: FenceVerdict): Promise<void>;
}

/**
 * A trial that is made once. What held is remembered under `key`, which names everything that it depends on; what did
 * not is tried again by the next process, since the machine may have been at fault.
 */
export function rememberedFence(
  remember: FenceMemory | undefined,
  key: string,
  tryIt: () => Promise<FenceVerdict>,
): () => Promise<FenceVerdict> {
  let verdict: Promise<FenceVerdict> | null = null;
  const find = async (): Promise<FenceVerdict> => {
    const known = await remember?.get(key).catch(() => null);
    if (known?.holds === true) return known;
    const found = await tryIt();
    // Without a memory it is only tried once more.
    if (found.holds) await remember?.set(key, found).catch(() => {});
    return found;
  };
  return () => {
    verdict ??= find();
    return verdict;
  };
}
