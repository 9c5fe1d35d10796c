import type { FenceCall } from './fence-case.ts';

/** A playbook prompt that makes exactly these calls, in this order. */
export function playbookOf(calls: readonly FenceCall[]): string {
  return calls
    .map(({ name, input }) => `~~~~tool ${name}\n${JSON.stringify(input)}\n~~~~\n`)
    .join('\n');
}
