import { messageOf } from '@svc/core';
import type { SelfTestResult } from '../runtime.ts';
import type { FenceCase, FenceSubject } from './fence-case.ts';
import { runFenceCase } from './run-fence-case.ts';

/** Runs cases in order until one fails. Never throws: a case that cannot run has failed. */
export async function runSelfTest(
  subject: FenceSubject,
  cases: readonly FenceCase[],
): Promise<SelfTestResult> {
  try {
    for (const fenceCase of cases) {
      const [fault] = await runFenceCase(subject, fenceCase);
      if (fault !== undefined) {
        return { passed: false, reason: `Check “${fenceCase.name}” failed: ${fault}.` };
      }
    }
    return { passed: true };
  } catch (error) {
    return { passed: false, reason: `The self-test could not run: ${messageOf(error)}.` };
  }
}

/** Caches results, so that the self-test does not run at each start. */
export interface SelfTestCache {
  get(key: string): Promise<SelfTestResult | null>;
  set(key: string, verdict: SelfTestResult): Promise<void>;
}

/**
 * Runs a self-test once. A pass is cached under `key`, which names everything the result depends on. A failure is not
 * cached, because its cause may be temporary.
 */
export function cachedSelfTest(
  cache: SelfTestCache | undefined,
  key: string,
  test: () => Promise<SelfTestResult>,
): () => Promise<SelfTestResult> {
  let verdict: Promise<SelfTestResult> | null = null;
  const find = async (): Promise<SelfTestResult> => {
    const known = await cache?.get(key).catch(() => null);
    if (known?.passed === true) return known;
    const found = await test();
    // If caching fails, the test only runs again later.
    if (found.passed) await cache?.set(key, found).catch(() => {});
    return found;
  };
  return () => {
    verdict ??= find();
    return verdict;
  };
}
