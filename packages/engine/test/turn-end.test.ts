import { expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { EngineDeps, RunObserver } from '../src/deps.ts';
import { endingWith, endTurn } from '../src/turns/turn-end.ts';

const turn = { id: 't', sessionId: 's', runId: null, project: 'demo' };

// proves: usage.metrics
it('the end of a turn counts its connections, and none that are not recorded', async () => {
  const used: Parameters<NonNullable<RunObserver['used']>>[0][] = [];
  const deps = {
    clock: createFakeClock(0),
    logger: silentLogger,
    store: { turns: { end: async () => ({ run: null, endsPause: false }) } },
    changes: { publish() {} },
    observer: { used: (use: (typeof used)[number]) => used.push(use) },
  } as unknown as EngineDeps;
  const ending = endingWith('failed', 'No.');
  const host = { host: 'a.example.com', port: 443 };
  const network = {
    reached: [
      { ...host, count: 2 },
      { ...host, port: 80, count: 3 },
    ],
    refused: [{ ...host, port: 22, count: 4, reason: 'It is not allowed.' }],
  };
  await endTurn(deps, turn, { ...ending, network });
  await endTurn(deps, turn, ending);
  expect(used.map(({ connections }) => connections)).toEqual([{ reached: 5, refused: 4 }, null]);
});
