import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { clientCaller, USER } from '@svc/ops';
import type { Change, TriggerKey } from '@svc/records';
import { scheduled, T0, type World, withWorld } from './harness.ts';

const KEY: TriggerKey = { project: 'demo', source: 'trigger', name: 'nightly' };
const RECORD = {
  trigger: { type: 'schedule', cron: '* * * * *', timezone: 'UTC' },
  run: { prompt: 'Do it.' },
  enabled: true,
};
const CI = clientCaller({
  clientId: 'ci',
  scope: { projects: ['*'], allow: ['*'], deny: [], denyProjects: [], maxSpawnDepth: null },
});

const changes = ({ store }: World, key: TriggerKey = KEY) => store.changes.of(key);

async function summaries(world: World): Promise<string[]> {
  return (await changes(world)).map(({ kind, by, via }) => `${kind} ${by ?? '-'} ${via}`);
}

async function newest(world: World): Promise<Change> {
  const last = (await changes(world)).at(-1);
  if (last === undefined) throw new Error('There is none.');
  return last;
}

const edited = (world: World, from: string, to: string): void =>
  world.write('demo/project.yaml', world.read('demo/project.yaml').replace(from, to));

describe('the change history of a trigger', () => {
  // proves: why.changes, why.changes.who
  it('has one row for each change: who, from where, and what changed', () =>
    withWorld(scheduled(), async (world) => {
      expect(await summaries(world)).toEqual(['defined - file', 'armed - service']);
      const edit = { ...RECORD, run: { prompt: 'Do something else.' } };
      await world.ops.triggers.put({ ...USER, face: 'page' }, 'demo', 'nightly', edit);
      expect(await newest(world)).toMatchObject({
        ...{ kind: 'changed', by: 'user', via: 'page', at: '2026-03-01T09:00:00.000Z' },
        fields: [
          {
            field: 'run.prompt',
            from: expect.stringMatching(/^6 characters, [0-9a-f]{8}$/),
            to: expect.stringMatching(/^18 characters, [0-9a-f]{8}$/),
          },
        ],
        standing: { enabled: true, cron: '* * * * *', catchUp: 'latest' },
      });
      await world.ops.triggers.put(USER, 'demo', 'nightly', { ...edit, enabled: false });
      const set = { project: 'demo', name: 'nightly', enabled: true };
      const signal = new AbortController().signal;
      await world.ops.operations.call(CI, 'set_trigger', set, { signal });
      await world.ops.triggers.remove(USER, 'demo', 'nightly');
      expect((await summaries(world)).slice(3)).toEqual([
        'disabled user rest',
        'disarmed - service',
        'enabled client:ci client',
        'armed - service',
        'removed user rest',
      ]);
      expect(await world.store.changes.notes('demo')).toEqual([]);
    }));

  // proves: why.changes.file
  it('attributes a change without a caller to the file, with the time it was written', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(1000);
      edited(world, '* * * * *', '5 * * * *');
      await world.until(async () => (await summaries(world)).length === 4);
      const row = (await changes(world)).at(-2);
      expect(row).toMatchObject({
        ...{ kind: 'changed', by: null, via: 'file' },
        fields: [{ field: 'trigger.cron', from: '* * * * *', to: '5 * * * *' }],
      });
      const { ctimeMs } = statSync(join(world.root, 'demo/project.yaml'));
      expect(Date.parse(row?.writtenAt ?? '')).toBe(Math.floor(ctimeMs));
      edited(world, '5 * * * *', '99 * * * *');
      await world.until(async () => (await summaries(world)).length === 6);
      expect((await changes(world)).at(-2)).toMatchObject({
        kind: 'invalid',
        standing: null,
        reason: expect.stringContaining('trigger.cron'),
      });
      edited(world, '99 * * * *', '9 * * * *');
      await world.until(async () => (await summaries(world)).includes('fixed - file'));
      world.write('demo/project.yaml', 'triggers: [');
      await world.until(async () => (await summaries(world)).at(-1) === 'unreadable - file');
      world.write('demo/project.yaml', scheduled());
      await world.until(async () => (await summaries(world)).includes('readable - file'));
    }));

  // proves: why.changes.once
  it('records a change once, however often the service starts', () =>
    withWorld(scheduled(), async (world) => {
      await world.restart();
      await world.restart();
      expect(await summaries(world)).toEqual(['defined - file', 'armed - service']);
      await Promise.all(
        [1, 2, 3, 4].map((n) =>
          world.ops.triggers.put(USER, 'demo', `other-${n}`, { ...RECORD, enabled: false }),
        ),
      );
      for (const n of [1, 2, 3, 4]) {
        const rows = await changes(world, { ...KEY, name: `other-${n}` });
        expect(rows.map(({ kind, via }) => `${kind} ${via}`)).toEqual(['defined rest']);
      }
    }));

  // proves: why.changes.crash
  it('keeps who did it over a crash between the edit and its row, and forgets who came to nothing', () =>
    withWorld(scheduled(), async (world) => {
      const note = { project: 'demo', name: 'nightly', via: 'client', sessionId: null } as const;
      const seen = (await world.store.changes.known('demo')).find(({ name }) => name !== '');
      edited(world, 'true', 'false');
      await world.until(async () => (await summaries(world)).includes('disabled - file'));
      const off = (await world.store.changes.known('demo')).find(({ name }) => name !== '');
      edited(world, 'false', 'true');
      await world.until(async () => (await summaries(world)).includes('enabled - file'));
      await world.restart({
        edit: () => edited(world, 'true', 'false'),
        before: async () => {
          await world.store.changes.note({ ...note, hash: off?.hash ?? '', by: 'client:ci' });
          await world.store.changes.note({ ...note, hash: seen?.hash ?? '', by: 'client:x' });
        },
      });
      await world.until(async () => (await summaries(world)).includes('disabled client:ci client'));
      edited(world, 'false', 'true');
      await world.until(
        async () => (await summaries(world)).filter((row) => row === 'enabled - file').length === 2,
      );
      expect((await summaries(world)).filter((row) => row.includes('client:x'))).toEqual([]);
    }));

  // proves: why.changes.secrets
  it('keeps no secret of a definition', () =>
    withWorld(
      scheduled(', model: sk-very-secret'),
      async (world) => {
        const [first] = await changes(world);
        expect(first?.fields).toContainEqual({ field: 'run.model', from: null, to: '[redacted]' });
        expect(JSON.stringify(await world.store.changes.known('demo'))).not.toContain(
          'very-secret',
        );
      },
      { secrets: ['sk-very-secret'] },
    ));

  // proves: why.changes.pauses
  it('lists pauses of all triggers and of one trigger, with their reasons', () =>
    withWorld(
      scheduled().replace('enabled: true', 'policy: { pauseAfterFailures: 1 }\n    enabled: true'),
      async (world) => {
        await world.ops.pause({ reason: 'Moving house.' });
        await world.ops.resume();
        await world.ops.resume();
        await world.clock.advance(60_000);
        (await world.until(() => world.runtime.turns[0])).end('failed', 'No.');
        await world.until(async () => (await summaries(world)).includes('paused - service'));
        await world.ops.resumeTrigger('demo', 'nightly');
        const rows = (await changes(world)).slice(2);
        expect(
          rows.map(({ kind, by, via, project, reason }) => [kind, by, via, project, reason]),
        ).toEqual([
          ['paused', 'user', 'rest', null, 'Moving house.'],
          ['resumed', 'user', 'rest', null, null],
          ['paused', null, 'service', 'demo', 'The trigger was paused after 1 failure.'],
          ['resumed', 'user', 'rest', 'demo', null],
        ]);
      },
    ));
});

describe('when the service was at work', () => {
  // proves: why.downtime
  it('is known to within 30 s of a kill, and to the instant of a stop', () =>
    withWorld(scheduled(), async (world) => {
      await world.clock.advance(65_000);
      await world.until(
        async () => (await world.store.spans.around(T0 + 65_000))[0]?.until === null,
      );
      await world.restart({ afterMs: 600_000 });
      const spans = await world.store.spans.around(T0 + 65_000);
      expect(spans).toEqual([
        { from: T0, until: T0 + 60_000, isClean: false },
        { from: T0 + 665_000, until: null, isClean: false },
      ]);
    }));
});
