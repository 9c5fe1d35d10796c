import { describe, expect, it } from '@jest/globals';
import { describeFence } from '@svc/agent-runtime/testing';
import { OPERATIONS } from '../test/operations.ts';
import { openWorld } from './world.ts';

describeFence(
  async () => {
    const { model, runtime, close } = await openWorld();
    return {
      runtime,
      promptOf(calls) {
        model.script(calls.map((call) => ({ calls: [call] })));
        return 'Do it.';
      },
      close,
    };
  },
  OPERATIONS,
  { describe, it, expect },
  { readFirst: true, refusesLinks: true },
);
