import type { OperationEffects } from '../decision.ts';
import type { FenceSubject } from '../fence/fence-case.ts';
import { runFenceCase } from '../fence/run-fence-case.ts';
import { type FenceSuite, fenceCases } from './fence-cases.ts';

/** The functions of a test framework that the suite needs. */
export interface FenceFrame {
  describe(name: string, body: () => void): void;
  it(name: string, body: () => Promise<void>): void;
  expect(value: unknown): { toEqual(expected: unknown): void };
}

/** Defines one test per fence case. */
export function describeFence(
  makeSubject: () => FenceSubject | Promise<FenceSubject>,
  operations: OperationEffects,
  { describe, it, expect }: FenceFrame,
  suite: FenceSuite = {},
): void {
  describe('the fence of a runtime', () => {
    for (const fenceCase of fenceCases(operations, suite)) {
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
