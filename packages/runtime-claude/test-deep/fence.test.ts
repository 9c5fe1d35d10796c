import { describe, expect, it } from '@jest/globals';
import { describeFence } from '@svc/agent-runtime/testing';
import type { ScriptedCall } from '@svc/runtime-claude/testing';
import { OPERATIONS } from '../test/operations.ts';
import { openWorld } from './world.ts';

// Required fields of the SDK tool besides the prompt.
const CHILD = { description: 'A child', subagent_type: 'general-purpose' };

describeFence(
  async () => {
    const { model, runtime, close } = await openWorld();
    let previous: readonly ScriptedCall[] = [];
    return {
      runtime,
      requests: () => model.requests.map(({ body }) => JSON.stringify(body)).join('\n'),
      promptOf(calls) {
        const [first] = calls;
        const input = first?.input as { readonly prompt?: string } | undefined;
        // The suite requests the calls of the child first, and then a Task with the prompt for those calls.
        const inChild = first?.name === 'Task' && input?.prompt === 'Make your calls.';
        const steps = inChild
          ? [{ name: 'Task', input: { ...input, ...CHILD } }, ...previous]
          : calls;
        previous = calls;
        model.script(steps.map((call) => ({ calls: [call] })));
        return 'Make your calls.';
      },
      close,
    };
  },
  OPERATIONS,
  { describe, it, expect },
  { readFirst: true, refusesLinks: true },
);
