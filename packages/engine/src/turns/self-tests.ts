import { type Runtime, type SelfTestResult, stopOf, type TurnStop } from '@svc/agent-runtime';
import { type Clock, messageOf } from '@svc/core';
import type { EngineDeps } from '../deps.ts';

/** Result of the allow-list self-test of a runtime: `none` if there is no test. */
export interface SelfTestState {
  readonly verdict: 'none' | 'untested' | 'holds' | 'fails';
  /** What was not blocked, or why it could not be tested; null if nothing. */
  readonly reason: string | null;
}

/** Whether a limited turn may start. */
type SelfTestPass =
  | { readonly may: true }
  | { readonly may: false; readonly reason: string }
  /** The turn was stopped while it waited. */
  | { readonly may: false; readonly stop: TurnStop };

/** Self-tests of the allow-lists of runtimes, and their results. */
export interface SelfTests {
  /** The result so far; does not start a test. */
  stateOf(runtime: Runtime): SelfTestState;
  /** Tests the runtimes that are ready, one after the other, and logs the results. Never rejects. */
  runAll(runtimes: Iterable<Runtime>): Promise<void>;
  /** Waits up to a minute for the result of a runtime. */
  pass(runtime: Runtime, signal: AbortSignal): Promise<SelfTestPass>;
}

const LONGEST_MS = 60_000;

export function createSelfTests({
  clock,
  logger,
}: Pick<EngineDeps, 'clock' | 'logger'>): SelfTests {
  const found = new Map<string, SelfTestState>();
  const runOne = async (runtime: TestedRuntime) => {
    const verdict = await runtime.selfTest().catch(notRun);
    found.set(runtime.id, stateAfter(verdict));
    return verdict;
  };
  return {
    stateOf({ id, selfTest }) {
      if (selfTest === undefined) return { verdict: 'none', reason: null };
      return found.get(id) ?? { verdict: 'untested', reason: null };
    },
    async runAll(runtimes) {
      for (const runtime of runtimes) {
        if (!hasSelfTest(runtime) || !(await isReady(runtime))) continue;
        const verdict = await runOne(runtime);
        const { id } = runtime;
        if (verdict.passed) logger.info({ runtime: id }, 'runtime self-test passed');
        else {
          const { reason } = verdict;
          logger.error({ runtime: id, reason }, 'runtime self-test failed');
        }
      }
    },
    async pass(runtime, signal) {
      const { id } = runtime;
      if (!hasSelfTest(runtime)) return { may: true };
      const verdict = await inTime(clock, runOne(runtime), signal);
      if (verdict === 'stopped') return { may: false, stop: stopOf(signal) };
      if (verdict === 'late') return { may: false, reason: tooLate(id) };
      if (verdict.passed) return { may: true };
      return {
        may: false,
        reason: `The ${id} runtime failed its self-test: ${verdict.reason}`,
      };
    },
  };
}

type TestedRuntime = Runtime & { selfTest: NonNullable<Runtime['selfTest']> };

function hasSelfTest(runtime: Runtime): runtime is TestedRuntime {
  return runtime.selfTest !== undefined;
}

function isReady(runtime: Runtime): Promise<boolean> {
  return runtime.probe().then(
    ({ ready }) => ready,
    () => false,
  );
}

function notRun(error: unknown): SelfTestResult {
  return { passed: false, reason: `The self-test could not run: ${messageOf(error)}.` };
}

function stateAfter(verdict: SelfTestResult): SelfTestState {
  return verdict.passed
    ? { verdict: 'holds', reason: null }
    : { verdict: 'fails', reason: verdict.reason };
}

function tooLate(id: string): string {
  return `The self-test of the ${id} runtime did not finish within ${LONGEST_MS / 1000} seconds, so the limits of this turn are not verified.`;
}

// The test continues after the waiting turn gave up, so that the next turn finds its result.
async function inTime(
  clock: Clock,
  trial: Promise<SelfTestResult>,
  signal: AbortSignal,
): Promise<SelfTestResult | 'late' | 'stopped'> {
  let release = (): void => {};
  const given = new Promise<'late' | 'stopped'>((resolve) => {
    const timer = clock.setTimeout(() => resolve('late'), LONGEST_MS);
    const stopped = (): void => resolve('stopped');
    signal.addEventListener('abort', stopped, { once: true });
    if (signal.aborted) stopped();
    release = () => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
    };
  });
  try {
    return await Promise.race([trial, given]);
  } finally {
    release();
  }
}
