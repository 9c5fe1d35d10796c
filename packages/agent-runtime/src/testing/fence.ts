import type { OperationEffects } from '../decision.ts';
import type { FenceSubject } from '../fence/fence-case.ts';
import { runFenceCase } from '../fence/run-fence-case.ts';
import { fenceCases } from './fence-cases.ts';

/** The part of a test framework that the suite is written into. */
export interface FenceFrame {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect(value: unknown): { toEqual(expected: unknown): void };
}

/** How the suite is written. */
export interface FenceSuite {
  /** Whether the subjects have an `openHost`; without one, what needs it is left out. Default false. */
  readonly openHost?: boolean;
}

/** Writes one test per fence case into a test framework. */
export function describeFence(
  makeSubject: () => FenceSubject | Promise<FenceSubject>,
  operations: OperationEffects,
  { describe, it, expect }: FenceFrame,
  { openHost = false }: FenceSuite = {},
): void {
  const cases = fenceCases(operations).filter(
    ({ needsOpenHost }) => openHost || needsOpenHost !== true,
  );
  describe('the fence of a runtime', () => {
    for (const fenceCase of cases) {
      it(fenceCase.name, async () => {
        const subject = await makeSubject();
        try {
          expect(await runFenceCase(subject, fenceCase)).toEqual([]);
        } finally {
          await subject.close?.();
        }
      });
    }
  });
}
