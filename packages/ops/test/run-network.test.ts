import { describe, expect, it } from '@jest/globals';
import { type RunNetwork, runSchema } from '@svc/records';
import { createValidator } from '@svc/schema';
import { MINUTE, scheduled, type World, withWorld } from './harness.ts';

const KEY = 'sk-live-0123456789';
const NETWORK: RunNetwork = {
  reached: [{ host: 'api.github.com', port: 443, count: 3 }],
  refused: [{ host: '2001:db8::1', port: 22, count: 1, reason: 'It is not in the allow-list.' }],
};

async function startTurn({ clock, runtime, until }: World) {
  await clock.advance(MINUTE);
  return until(() => runtime.turns[0]);
}

const ended = ({ runs, until }: World) =>
  until(async () => (await runs()).find(({ state }) => state === 'ended'));

describe('the record of a run', () => {
  // proves: usage.sandbox
  it('says whether its processes were sandboxed, and what they connected to', () =>
    withWorld(scheduled(), async (world) => {
      const turn = await startTurn(world);
      expect(await world.runs()).toMatchObject([{ sandbox: null, network: null }]);
      turn.end('failed', 'No.', { sandbox: 'enforced', network: NETWORK });
      const run = await ended(world);
      expect(run).toMatchObject({ sandbox: 'enforced', network: NETWORK });
      expect(createValidator(runSchema)(run)).toMatchObject({ ok: true });
    }));

  it.each(['none', null] as const)('has sandbox %s without a network record', (sandbox) =>
    withWorld(scheduled(), async (world) => {
      const turn = await startTurn(world);
      turn.end('succeeded', null, sandbox === null ? {} : { sandbox });
      expect(await ended(world)).toMatchObject({ sandbox, network: null });
    }),
  );

  it('has neither after a crash', () =>
    withWorld(scheduled(), async (world) => {
      await startTurn(world);
      await world.restart();
      expect(await world.runs()).toMatchObject([
        { outcome: 'interrupted', sandbox: null, network: null },
      ]);
    }));

  // proves: usage.network-limits
  it('keeps at most 100 hosts of each kind, and no secret', () =>
    withWorld(
      scheduled(),
      async (world) => {
        const turn = await startTurn(world);
        const hosts = Array.from({ length: 101 }, (_, n) => ({
          ...{ host: `${KEY}.h${n}.example.com`, port: 443, count: 1 },
          reason: `It is not allowed: ${KEY}`,
        }));
        const reached = hosts.map(({ reason: _, ...host }) => host);
        turn.end('succeeded', null, { sandbox: 'enforced', network: { reached, refused: hosts } });
        const run = await ended(world);
        expect([run.network?.reached.length, run.network?.refused.length]).toEqual([100, 100]);
        expect(run.network?.refused[99]).toEqual({
          ...{ host: '[redacted].h99.example.com', port: 443, count: 1 },
          reason: 'It is not allowed: [redacted]',
        });
        expect(JSON.stringify(run)).not.toContain(KEY);
        expect(createValidator(runSchema)(run)).toMatchObject({ ok: true });
      },
      { secrets: [KEY] },
    ));
});
