import { describe, expect, it } from '@jest/globals';
import { USER } from '@svc/ops';
import { StoreError } from '@svc/store';
import { MINUTE, scheduled, withWorld } from './harness.ts';

const triggers = (entries: string): string => `triggers:\n${entries}`;
const manual = (name: string, type: string, run = '{ prompt: "Do it." }'): string =>
  `  ${name}:\n    trigger: ${type}\n    run: ${run}\n    enabled: false\n`;

describe('a slot that falls due', () => {
  // proves: run.prompt, firing.turn
  it('starts a turn in a new chat and keeps an honest record of it', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, ops }) => {
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      expect((await runs())[0]).toMatchObject({
        trigger: 'nightly',
        cause: 'schedule',
        state: 'running',
        outcome: null,
        scheduledFor: '2026-03-01T09:01:00.000Z',
        lateMs: 0,
        by: null,
        catchUp: false,
      });
      turn.say('Done.');
      turn.end();
      const run = await until(async () => (await runs()).find(({ state }) => state === 'ended'));
      expect(run).toMatchObject({
        outcome: 'succeeded',
        turns: 1,
        model: 'puppet',
        runtime: 'native',
      });
      const chat = await ops.chats.get('demo', run.sessionId ?? '', {});
      const messages = chat.ok ? chat.value.messages : [];
      expect(messages.map(({ role, kind }) => `${role} ${kind}`)).toEqual([
        'system notice',
        'system notice',
        'user text',
        'assistant text',
      ]);
      expect(messages[2]?.text).toBe('Do it.');
    }));

  it('is skipped while the previous run is still running; skipped slots share a row', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs }) => {
      await clock.advance(MINUTE);
      await until(() => runtime.turns[0]);
      await clock.advance(3 * MINUTE);
      const skipped = await until(async () =>
        (await runs()).find((run) => run.outcome === 'skipped_overlap' && run.slotCount === 3),
      );
      expect(skipped).toMatchObject({
        sessionId: null,
        reason: expect.stringContaining('skips overlapping'),
      });
      expect(runtime.turns).toHaveLength(1);
      runtime.turns[0]?.end();
      await until(async () => (await runs()).some(({ outcome }) => outcome === 'succeeded'));
      await clock.advance(MINUTE);
      await until(() => runtime.turns[1]);
    }));

  // proves: run.tools.scoped, run.tools.agent-name, run.max-turns
  it('gives the turn its capability, its folder and a built environment', () =>
    withWorld(
      scheduled(', tools: [Bash, Read], maxTurns: 3'),
      async ({ clock, runtime, until, root }) => {
        await clock.advance(MINUTE);
        const { spec } = await until(() => runtime.turns[0]);
        expect(spec).toMatchObject({
          cwd: expect.stringContaining(`${root}/demo`),
          limits: { maxTurns: 3 },
          depth: 0,
          capability: {
            runsAs: 'agent',
            agentName: 'trigger-demo-nightly',
            tools: ['Read', 'Bash'],
            permissionMode: 'default',
            maxSpawnDepth: 1,
          },
        });
        expect(spec.env).toEqual({
          PATH: '/bin',
          SVC_TURN_ID: spec.turnId,
          SVC_RUN_ID: spec.runId,
        });
      },
    ));

  it('ends a turn at its time limit', () =>
    withWorld(
      scheduled(', timeout: 90s').replace('* * * * *', '1 9 * * *'),
      async ({ clock, runtime, until, runs }) => {
        const idle = clock.pending;
        await clock.advance(MINUTE);
        await until(() => runtime.turns[0]);
        await clock.advance(90_000);
        const run = await until(async () =>
          (await runs()).find(({ outcome }) => outcome === 'timed_out'),
        );
        expect(run.reason).toBe('Stopped after reaching its time limit of 90 seconds.');
        await until(() => clock.pending === idle);
      },
    ));

  // proves: run.prompt-file.fresh
  it('fails without a chat when the prompt file is missing, and works once it is there', () =>
    withWorld(
      scheduled().replace('prompt: "Do it."', 'promptFile: a.md'),
      async ({ clock, until, runs, write, runtime }) => {
        await clock.advance(MINUTE);
        const run = await until(async () => (await runs()).find(({ state }) => state === 'ended'));
        expect(run).toMatchObject({
          outcome: 'failed',
          sessionId: null,
          reason: 'The prompt file .svc/triggers/a.md does not exist.',
        });
        write('demo/.svc/triggers/a.md', 'From the file.');
        await clock.advance(MINUTE);
        const turn = await until(() => runtime.turns[0]);
        expect(turn.spec.prompt).toEqual({ author: 'From the file.' });
      },
    ));

  it('fails when the runtime breaks off', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs }) => {
      const start = runtime.start.bind(runtime);
      runtime.start = async function* (spec, signal) {
        yield* start(spec, signal);
        throw new Error('wires crossed');
      };
      await clock.advance(MINUTE);
      (await until(() => runtime.turns[0])).end();
      const run = await until(async () => (await runs()).find(({ state }) => state === 'ended'));
      expect(run).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('wires crossed'),
      });
    }));
});

describe('when the database or the disk fails for a moment', () => {
  const broken = (times: number, work: (...all: never[]) => Promise<unknown>) => {
    let left = times;
    return async (...all: never[]): Promise<unknown> => {
      left -= 1;
      if (left >= 0) throw new Error('disk full');
      return work(...all);
    };
  };

  it.each([
    ['written while it runs', true],
    ['written with its end', false],
  ])('fails, and nothing else does, when what it says cannot be %s', (_, isLong) =>
    withWorld(scheduled(), async ({ ops, clock, runtime, store, until, runs }) => {
      const { append, end } = store.turns;
      await ops.triggers.run(USER, 'demo', 'nightly');
      const turn = await until(() => runtime.turns[0]);
      const full = new Error('database or disk is full');
      const refuse = async (): Promise<never> => Promise.reject(full);
      store.turns.append = refuse;
      store.turns.end = (id, ending, at, words = []) =>
        words.some(({ text }) => text === 'Lost.') ? refuse() : end(id, ending, at, words);
      turn.say('Lost.');
      if (isLong) await clock.advance(1000);
      turn.end();
      await until(async () => {
        await clock.advance(1000);
        return (await runs())[0]?.state === 'ended';
      });
      expect(await runs()).toMatchObject([
        { outcome: 'failed', reason: expect.stringContaining('database or disk is full') },
      ]);
      Object.assign(store.turns, { append, end });
      await ops.triggers.run(USER, 'demo', 'nightly');
      (await until(() => runtime.turns[1])).end();
      await until(async () => (await runs())[0]?.outcome === 'succeeded');
    }),
  );

  it('the end of a turn is written all the same', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, store }) => {
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      Object.assign(store.turns, { end: broken(3, store.turns.end as never) });
      turn.end();
      const run = await until(async () => {
        await clock.advance(100);
        return (await runs()).find(({ state }) => state === 'ended');
      });
      expect(run.outcome).toBe('succeeded');
    }));

  const full =
    (isFull: () => boolean, work: (...all: never[]) => Promise<unknown>) =>
    async (...all: never[]): Promise<unknown> => {
      if (isFull()) throw new StoreError('unavailable', 'The disk is full: free some space.');
      return work(...all);
    };

  it('the end of a turn is written however long the disk was full', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, store }) => {
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      let isFull = true;
      Object.assign(store.turns, { end: full(() => isFull, store.turns.end as never) });
      turn.end();
      for (let n = 0; n < 50; n += 1) await clock.advance(1000);
      expect((await runs()).map(({ state }) => state)).toEqual(['running']);
      isFull = false;
      const run = await until(async () => {
        await clock.advance(1000);
        return (await runs()).find(({ state }) => state === 'ended');
      });
      expect(run.outcome).toBe('succeeded');
    }));

  it('a slot that a full disk kept from being started is started when there is room', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, store }) => {
      let isFull = true;
      Object.assign(store.turns, { open: full(() => isFull, store.turns.open as never) });
      Object.assign(store.runs, {
        endUnstarted: full(() => isFull, store.runs.endUnstarted as never),
      });
      await clock.advance(MINUTE);
      for (let n = 0; n < 40; n += 1) await clock.advance(1000);
      const waiting = await runs();
      expect(waiting.map(({ state }) => state)).toEqual(['queued']);
      isFull = false;
      const turn = await until(async () => {
        await clock.advance(1000);
        return runtime.turns[0];
      });
      expect(turn.spec.runId).toBe(waiting[0]?.id);
    }));

  it('does not wait for room on the disk when it is stopped', () =>
    withWorld(scheduled(), async ({ ops, clock, runtime, until, store }) => {
      await clock.advance(MINUTE);
      const turn = await until(() => runtime.turns[0]);
      Object.assign(store.turns, { end: full(() => true, store.turns.end as never) });
      turn.end();
      await clock.advance(60_000);
      let closed = false;
      const closing = ops.close(0).then(() => {
        closed = true;
      });
      await until(async () => {
        await clock.advance(1000);
        return closed;
      });
      await closing;
    }));

  it('a slot that cannot be started is given up and holds up no other', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, store }) => {
      Object.assign(store.turns, { open: broken(1, store.turns.open as never) });
      await clock.advance(MINUTE);
      const run = await until(async () => (await runs()).find(({ state }) => state === 'ended'));
      expect(run).toMatchObject({
        outcome: 'failed',
        reason: 'It could not be started: disk full',
      });
      await clock.advance(MINUTE);
      await until(() => runtime.turns[0]);
    }));
});

describe('legacy schedules', () => {
  const legacy = `schedules:
  tidy: { type: cron, cron: "* * * * *", promptFile: tidy.md, resume_session: true }
`;

  // proves: schedules.armed, schedules.prompt-file, schedules.resume-session.true
  it('fire as the keeper, with their own prompt folder, in one session', () =>
    withWorld(legacy, async ({ clock, runtime, until, runs, write }) => {
      write('demo/.svc/schedules/tidy.md', 'Tidy up.');
      await clock.advance(MINUTE);
      const first = await until(() => runtime.turns[0]);
      expect(first.spec.prompt.author).toBe('Tidy up.');
      expect(first.spec.capability).toMatchObject({
        runsAs: 'keeper',
        agentName: 'trigger-demo-tidy',
      });
      expect(first.spec.capability.tools).toContain('Bash');
      first.end();
      await until(async () => (await runs()).some(({ state }) => state === 'ended'));
      await clock.advance(MINUTE);
      const second = await until(() => runtime.turns[1]);
      expect(second.spec.sessionId).toBe(first.spec.sessionId);
      expect((await runs())[0]).toMatchObject({ source: 'schedule', trigger: 'tidy' });
    }));
});

describe('run now', () => {
  // proves: firing.now, run-trigger.now
  it('runs a disabled trigger, and says by whom', () =>
    withWorld(triggers(manual('a', '{ type: schedule, interval: 1h }')), async (world) => {
      const fired = await world.ops.triggers.run(USER, 'demo', 'a');
      if (!fired.ok) throw new Error(fired.error.message);
      const turn = await world.until(() => world.runtime.turns[0]);
      turn.end('max_turns', 'It used all of its 3 turns.');
      const run = await world.until(async () =>
        (await world.runs()).find((r) => r.state === 'ended'),
      );
      expect(run).toMatchObject({
        id: fired.value.runId,
        sessionId: fired.value.sessionId,
        cause: 'manual',
        by: 'user',
        scheduledFor: null,
        slotCount: 0,
        lateMs: null,
        outcome: 'max_turns',
      });
    }));

  it('is never skipped for overlap: it waits for a place', () =>
    withWorld(triggers(manual('a', '{ type: schedule, interval: 1h }')), async (world) => {
      for (let n = 0; n < 3; n += 1) {
        expect((await world.ops.triggers.run(USER, 'demo', 'a')).ok).toBe(true);
      }
      await world.until(() => world.runtime.turns.length === 2);
      expect((await world.runs()).map((run) => run.state).sort()).toEqual([
        'queued',
        'running',
        'running',
      ]);
      world.runtime.turns[0]?.end();
      await world.until(() => world.runtime.turns.length === 3);
    }));

  // proves: run.session.resume
  it('uses the one session of a resuming trigger, one turn at a time, until it is archived', () =>
    withWorld(
      triggers(manual('a', '{ type: schedule, interval: 1h }', '{ prompt: x, session: resume }')),
      async (world) => {
        const fired = await Promise.all(
          [1, 2].map(() => world.ops.triggers.run(USER, 'demo', 'a')),
        );
        const sessions = fired.map((one) => (one.ok ? one.value.sessionId : ''));
        expect(new Set(sessions).size).toBe(1);
        await world.until(() => world.runtime.turns[0]);
        expect(world.runtime.turns).toHaveLength(1);
        world.runtime.turns[0]?.end();
        (await world.until(() => world.runtime.turns[1])).end();
        await world.ops.chats.archive(USER, 'demo', sessions[0] ?? '');
        const next = await world.ops.triggers.run(USER, 'demo', 'a');
        expect(next.ok && next.value.sessionId).not.toBe(sessions[0]);
      },
    ));

  it('takes its permissions from the current trigger, also when it continues a chat', () =>
    withWorld(
      triggers(manual('a', '{ type: webhook }', '{ prompt: x }')),
      async ({ ops, runtime, until, write }) => {
        const yaml = (tools: string) =>
          `triggers:\n  a: { trigger: { type: event, on: onArchive }, run: { prompt: x, session: resume, tools: [${tools}] } }\n`;
        const fired = async (n: number) => {
          const run = await ops.triggers.run(USER, 'demo', 'a');
          if (!run.ok) throw new Error(run.error.message);
          const turn = await until(() => runtime.turns[n]);
          turn.end();
          return turn.spec;
        };
        write('demo/project.yaml', yaml('Read, Bash'));
        const wide = await fired(0);
        write('demo/project.yaml', yaml('Read'));
        const narrow = await fired(1);
        expect(narrow.sessionId).toBe(wide.sessionId);
        await ops.chats.send(USER, 'demo', wide.sessionId, 'Go on.');
        const sent = await until(() => runtime.turns[2]);
        expect(sent.spec.capability.tools).toEqual(['Read']);
        sent.end();
      },
    ));

  // proves: run.tools.hook
  it('gives an event hook without a list no tools at all', () =>
    withWorld(
      triggers(
        manual('none', '{ type: event, on: onArchive }') +
          manual(
            'one',
            '{ type: event, on: onArchive }',
            '{ prompt: x, tools: [Grep, WebSearch] }',
          ),
      ),
      async ({ ops, runtime, until }) => {
        await ops.triggers.run(USER, 'demo', 'none');
        const bare = await until(() => runtime.turns[0]);
        expect(bare.spec.capability).toMatchObject({ runsAs: 'agent', tools: [] });
        await ops.triggers.run(USER, 'demo', 'one');
        const listed = await until(() => runtime.turns[1]);
        expect(listed.spec.capability.tools).toEqual(['Grep']);
      },
    ));

  // proves: trigger.webhook.reserved
  it.each([
    ['absent', 'a', 'not_found', 'There is no such project.'],
    ['demo', 'zzz', 'not_found', 'There is no trigger zzz in the project demo.'],
    ['demo', '../a', 'not_found', 'There is no trigger ../a in the project demo.'],
    ['demo', 'fiel', 'not_found', 'no trigger fiel in the project demo. Did you mean file?'],
    ['demo', 'borken', 'not_found', 'Did you mean broken?'],
    ['demo', 'x'.repeat(300), 'not_found', `There is no trigger ${'x'.repeat(200)}… in`],
    ['demo', 'broken', 'not_found', 'is invalid'],
    ['demo', 'hook', 'not_runnable', 'Webhook'],
    ['demo', 'file', 'run_failed', 'does not exist'],
  ])('%s/%s: %s', (project, name, code, word) =>
    withWorld(
      triggers(
        manual('hook', '{ type: webhook }') +
          manual('broken', '{ type: schedule, cron: nonsense }') +
          manual('file', '{ type: schedule, interval: 1h }', '{ promptFile: gone.md }'),
      ),
      async ({ ops, runs }) => {
        expect(await ops.triggers.run(USER, project, name)).toMatchObject({
          ok: false,
          error: { code, message: expect.stringContaining(word) },
        });
        const recorded = code === 'run_failed' ? [{ outcome: 'failed', sessionId: null }] : [];
        expect(await runs()).toMatchObject(recorded);
      },
    ),
  );

  it('records a fire that the runtime could not start', () =>
    withWorld(triggers(manual('a', '{ type: schedule, interval: 1h }')), async (world) => {
      world.runtime.ready = false;
      expect(await world.ops.triggers.run(USER, 'demo', 'a')).toMatchObject({
        error: { code: 'run_failed', message: expect.stringContaining('it is broken') },
      });
      expect(await world.runs()).toMatchObject([{ outcome: 'failed' }]);
    }));

  // proves: runtimes.model-ready
  it('asks whether the runtime is ready for the model of the turn', () =>
    withWorld(
      triggers(
        manual('a', '{ type: schedule, interval: 1h }', '{ prompt: "Do it.", model: playbook }'),
      ),
      async ({ ops, runtime }) => {
        runtime.probe = async (model) =>
          model === 'playbook' ? { ready: true } : { ready: false, reason: `no ${model}.` };
        expect(await ops.triggers.run(USER, 'demo', 'a')).toMatchObject({ ok: true });
        const ask = (model?: string) =>
          ops.chats.create(USER, 'demo', { prompt: 'Go.', ...(model && { model }) });
        expect(await ask('playbook')).toMatchObject({ ok: true });
        for (const [model, reason] of [
          ['m', 'no m.'],
          [undefined, 'no null.'],
        ] as const) {
          expect(await ask(model)).toMatchObject({
            error: { code: 'run_failed', message: expect.stringContaining(reason) },
          });
        }
      },
    ));
});

describe('cancelling', () => {
  it('stops a running turn, takes a waiting one out, and refuses an ended one', () =>
    withWorld(triggers(manual('a', '{ type: schedule, interval: 1h }')), async (world) => {
      const { ops, runtime, until } = world;
      for (let n = 0; n < 3; n += 1) await ops.triggers.run(USER, 'demo', 'a');
      await until(() => runtime.turns.length === 2);
      const [waiting, running] = (await world.runs()).filter((run) => run.state !== 'ended');
      expect([waiting?.state, running?.state]).toEqual(['queued', 'running']);
      for (const run of [waiting, running]) {
        expect((await ops.runs.cancel(USER, 'demo', run?.id ?? '')).ok).toBe(true);
      }
      const ended = await until(async () => {
        const runs = (await world.runs()).filter((run) => run.state === 'ended');
        return runs.length === 2 ? runs : null;
      });
      expect(ended).toMatchObject([
        { outcome: 'cancelled', reason: 'Cancelled by a user.' },
        { outcome: 'cancelled', reason: 'Cancelled by a user.' },
      ]);
      expect(runtime.turns).toHaveLength(2);
      expect(await ops.runs.cancel(USER, 'demo', running?.id ?? '')).toMatchObject({
        error: { code: 'conflict' },
      });
      expect(await ops.runs.cancel(USER, 'demo', 'nonsense')).toMatchObject({
        error: { code: 'not_found' },
      });
    }));
});

describe('the list of runs', () => {
  it('begins at an instant, whatever its UTC offset', () =>
    withWorld(scheduled(), async ({ clock, runtime, until, runs, ops }) => {
      for (const n of [0, 1]) {
        await clock.advance(MINUTE);
        (await until(() => runtime.turns[n])).end();
        await until(async () => (await runs()).every(({ state }) => state === 'ended'));
      }
      const since = async (from: string) => {
        const page = await ops.runs.list('demo', { from });
        return page.ok ? page.value.runs.map(({ scheduledFor }) => scheduledFor) : page.error;
      };
      const second = '2026-03-01T09:02:00.000Z';
      expect(await since('2026-03-01T09:01:30Z')).toEqual([second]);
      expect(await since('2026-03-01T11:01:30+02:00')).toEqual([second]);
      expect(await since('2026-03-01T07:01:30-02:00')).toEqual([second]);
    }));
});
