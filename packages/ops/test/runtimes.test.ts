import { describe, expect, it } from '@jest/globals';
import type { SelfTestResult } from '@svc/agent-runtime';
import { USER } from '@svc/ops';
import { ALL, callAs } from './calls.ts';
import { MINUTE, NO_TRIGGERS, puppet, scheduled, type World, withWorld } from './harness.ts';

const script = () => puppet('script', { toolAllowList: 'none', permissionModes: ['default'] });
const DAILY = { type: 'schedule', cron: '0 9 * * *' };
const WHY =
  'cannot be enforced: the script runtime does not restrict its agent; use runtime: native';

const textsOf = async ({ ops }: World, sessionId: string): Promise<string[]> => {
  const chat = await ops.chats.get('demo', sessionId, {});
  return chat.ok ? chat.value.messages.map(({ text }) => text) : [];
};

const ended = ({ runs, until }: World, count = 1) =>
  until(async () => {
    const all = (await runs()).filter(({ state }) => state === 'ended');
    return all.length >= count ? all : null;
  });

describe('a limit that the runtime of a trigger cannot hold', () => {
  const onScript = (run: object) => ({
    trigger: DAILY,
    run: { prompt: 'Go.', runtime: 'script', ...run },
  });

  // proves: runtimes.limits.refused
  it('is refused when it is set, by name of the field and of the runtime', () =>
    withWorld(
      'keeper: { runtime: script }\ntriggers: {}\n',
      async ({ ops, read }) => {
        const put = await ops.triggers.put(USER, 'demo', 'a', onScript({ tools: ['Read'] }));
        const issues = [{ path: 'run.tools', message: expect.stringContaining(WHY) }];
        expect(put).toMatchObject({ error: { code: 'invalid', issues } });
        // The runtime of the project's keeper counts where a trigger names none.
        const inherited = { trigger: DAILY, run: { prompt: 'Go.', maxSpawnDepth: 0 } };
        const checked = await ops.triggers.validate('demo', inherited);
        expect(checked).toMatchObject({
          value: { valid: false, issues: [{ path: 'run.maxSpawnDepth' }] },
        });
        const args = { project: 'demo', name: 'a', cron: '0 9 * * *', prompt: 'Go.' };
        const set = await callAs(ops, ALL, 'set_trigger', { ...args, permission_mode: 'plan' });
        expect(set).toMatchObject({
          error: { code: 'invalid', message: expect.stringContaining('permission_mode') },
        });
        expect(read('demo/project.yaml')).toContain('triggers: {}');
        expect(await ops.triggers.put(USER, 'demo', 'a', onScript({}))).toMatchObject({ ok: true });
      },
      { runtimes: [script()] },
    ));

  // proves: runtimes.limits.fire
  it('keeps a trigger of a file from firing, and is reported beforehand', () => {
    const other = script();
    return withWorld(
      scheduled(', runtime: script, tools: [Read]'),
      async (world) => {
        const { ops, clock } = world;
        const list = await ops.triggers.list('demo');
        expect(list).toMatchObject({
          value: {
            invalid: [],
            triggers: [{ runtimeInForce: 'script', unheld: [{ path: 'run.tools' }] }],
          },
        });
        expect(await ops.triggers.runtime('demo')).toMatchObject({
          value: [{ armed: true, reason: expect.stringContaining(`run.tools ${WHY}`) }],
        });
        expect(await ops.projects.health('demo')).toMatchObject({
          ...{ failing: 0, invalid: 0, unready: 1, needYou: 1 },
        });
        const flat = await callAs(ops, ALL, 'list_triggers', { project: 'demo' });
        expect(flat).toMatchObject({
          value: { triggers: [{ runtimeInForce: 'script', unheld: [{ path: 'run.tools' }] }] },
        });
        await clock.advance(MINUTE);
        const [run] = await ended(world);
        expect(run).toMatchObject({ outcome: 'failed', sessionId: null });
        expect(run?.reason).toContain(`run.tools ${WHY}`);
        expect(await ops.triggers.run(USER, 'demo', 'nightly')).toMatchObject({
          error: { code: 'run_failed', message: expect.stringContaining(WHY) },
        });
        expect(other.turns).toEqual([]);
      },
      { runtimes: [other] },
    );
  });

  it('does not keep anybody from disabling such a trigger', () =>
    withWorld(
      scheduled(', runtime: script, tools: [Read]'),
      async ({ ops, read }) => {
        const stored = await ops.triggers.get('demo', 'nightly');
        if (!stored.ok) throw new Error('no trigger');
        const off = { ...stored.value.record, enabled: false };
        expect(await ops.triggers.put(USER, 'demo', 'nightly', off)).toMatchObject({ ok: true });
        expect(read('demo/project.yaml')).toContain('enabled: false');
        const args = { project: 'demo', name: 'nightly', enabled: false };
        expect(await callAs(ops, ALL, 'set_trigger', args)).toMatchObject({ ok: true });
        const on = await callAs(ops, ALL, 'set_trigger', { ...args, enabled: true });
        expect(on).toMatchObject({ error: { code: 'invalid' } });
      },
      { runtimes: [script()] },
    ));

  it('is the mode of the keeper too, for a schedule and for a chat', () =>
    withWorld(
      `keeper: { runtime: script, permissionMode: plan }\n${scheduled()}`,
      async ({ ops }) => {
        const reason = expect.stringContaining('keeper.permissionMode is plan, which cannot');
        expect(await ops.triggers.runtime('demo')).toMatchObject({ value: [{ reason }] });
        expect(await ops.chats.create(USER, 'demo', { prompt: 'Go.' })).toMatchObject({
          error: {
            code: 'run_failed',
            message: expect.stringContaining('script runtime cannot enforce'),
          },
        });
      },
      { runtimes: [script()] },
    ));
});

// proves: runtimes.unknown
it('an unknown runtime is refused, with a guess at what was meant', () =>
  withWorld(NO_TRIGGERS, async ({ ops }) => {
    const record = { trigger: DAILY, run: { prompt: 'Go.', runtime: 'nativ' } };
    expect(await ops.triggers.put(USER, 'demo', 'a', record)).toMatchObject({
      error: { issues: [{ path: 'run.runtime', message: expect.stringMatching(/did you mean/) }] },
    });
  }));

it('a tool that a runtime lacks is absent when it fires, whatever runtime it is', () => {
  const bare = puppet('bare', { tools: ['Read'] });
  return withWorld(
    scheduled(', runtime: bare, tools: [Read, Bash]'),
    async ({ clock, until }) => {
      await clock.advance(MINUTE);
      const { spec } = await until(() => bare.turns[0]);
      expect(spec.capability.tools).toEqual(['Read']);
    },
    { runtimes: [bare] },
  );
});

describe('a fence', () => {
  const fenced = () => {
    let tell = (_verdict: SelfTestResult): void => {};
    let asked = 0;
    const verdict = new Promise<SelfTestResult>((resolve) => {
      tell = resolve;
    });
    const runtime = puppet('fenced', {}, () => {
      asked += 1;
      return verdict;
    });
    return { runtime, tell: (given: SelfTestResult) => tell(given), asked: () => asked };
  };
  const limited = scheduled(', runtime: fenced, tools: [Read]');

  // proves: runtimes.fence
  it('is waited for by a limited turn, which starts in time all the same', () => {
    const { runtime, tell, asked } = fenced();
    return withWorld(
      limited,
      async ({ clock, until, runs, ops }) => {
        const fenceOf = async () => {
          const settings = await ops.settings();
          return settings.ok ? settings.value.runtimes[1]?.fence : null;
        };
        expect(await fenceOf()).toEqual({ verdict: 'untested', reason: null });
        await clock.advance(MINUTE);
        await until(() => asked() === 1);
        expect((await runs())[0]?.state).toBe('queued');
        tell({ passed: true });
        const turn = await until(() => runtime.turns[0]);
        expect((await runs())[0]).toMatchObject({ state: 'running', lateMs: 0 });
        expect(await fenceOf()).toEqual({ verdict: 'holds', reason: null });
        turn.end();
      },
      { runtimes: [runtime] },
    );
  });

  // proves: pausing.all
  it('that is tried while everything is paused has its turn skipped', () => {
    const { runtime, tell, asked } = fenced();
    return withWorld(
      limited,
      async ({ clock, until, runs, ops }) => {
        await clock.advance(MINUTE);
        await until(() => asked() === 1);
        await ops.pause();
        tell({ passed: true });
        await until(async () => (await runs())[0]?.outcome === 'skipped_paused');
        expect(runtime.turns).toEqual([]);
      },
      { runtimes: [runtime] },
    );
  });

  it('is not tried for a turn whose trigger was paused while it waited for a place', () => {
    const { runtime, tell, asked } = fenced();
    tell({ passed: false, reason: 'Bash ran.' });
    return withWorld(
      `${limited}    policy: { overlap: allow, pauseAfterFailures: 1 }
  by-hand: { trigger: { type: schedule, cron: "0 0 1 1 *" }, run: { prompt: x } }
`,
      async ({ clock, until, ops, runs, runtime: native }) => {
        for (const count of [1, 2]) {
          await ops.triggers.run(USER, 'demo', 'by-hand');
          await until(() => native.turns.length === count);
        }
        const nightly = async () => (await runs()).filter(({ trigger }) => trigger === 'nightly');
        for (const count of [1, 2]) {
          await clock.advance(MINUTE);
          await until(async () => (await nightly())[count - 1]?.turnId);
        }
        native.turns[0]?.end();
        await until(async () => (await nightly()).every(({ state }) => state === 'ended'));
        const outcomes = (await nightly()).map(({ outcome }) => outcome);
        expect([outcomes, asked()]).toEqual([['skipped_paused', 'failed'], 1]);
        native.turns[1]?.end();
      },
      { runtimes: [runtime] },
    );
  });

  it('that does not hold fails the turn with what got through', () => {
    const { runtime, tell } = fenced();
    tell({ passed: false, reason: 'Bash ran.' });
    return withWorld(
      limited,
      async (world) => {
        await world.clock.advance(MINUTE);
        const [run] = await ended(world);
        const reason = 'The fenced runtime failed its self-test: Bash ran.';
        expect(run).toMatchObject({ outcome: 'failed', reason });
        const settings = await world.ops.settings();
        expect(settings).toMatchObject({
          value: { runtimes: [{}, { fence: { verdict: 'fails', reason: 'Bash ran.' } }] },
        });
        expect(runtime.turns).toEqual([]);
      },
      { runtimes: [runtime] },
    );
  });

  it('without a verdict fails the turn after a minute', () => {
    const { runtime, asked } = fenced();
    return withWorld(
      limited,
      async (world) => {
        await world.clock.advance(MINUTE);
        await world.until(() => asked() === 1);
        await world.clock.advance(MINUTE);
        const [run] = await ended(world);
        expect(run).toMatchObject({ outcome: 'failed' });
        expect(run?.reason).toContain('within 60 seconds');
      },
      { runtimes: [runtime] },
    );
  });

  it('is nothing to a turn without limits', () => {
    const { runtime, asked } = fenced();
    return withWorld(
      scheduled(', runtime: fenced'),
      async ({ clock, until }) => {
        await clock.advance(MINUTE);
        await until(() => runtime.turns[0]);
        expect(asked()).toBe(0);
      },
      { runtimes: [runtime] },
    );
  });

  it('that is waited for lets the run be cancelled', () => {
    const { runtime, asked } = fenced();
    return withWorld(
      limited,
      async (world) => {
        await world.clock.advance(MINUTE);
        await world.until(() => asked() === 1);
        const [run] = await world.runs();
        await world.ops.runs.cancel(USER, 'demo', run?.id ?? '');
        expect((await ended(world))[0]).toMatchObject({ outcome: 'cancelled' });
      },
      { runtimes: [runtime] },
    );
  });
});

describe('a resuming trigger whose runtime was changed', () => {
  // proves: runtimes.changed
  it('continues in a new chat, which says so; the old one keeps its messages', () => {
    const other = puppet('other');
    const yaml = (runtime: string) => scheduled(`, session: resume, runtime: ${runtime}`);
    return withWorld(
      yaml('native'),
      async (world) => {
        const { clock, runtime, until, ops } = world;
        await clock.advance(MINUTE);
        const first = await until(() => runtime.turns[0]);
        first.session('native-1');
        first.end();
        await ended(world);
        await clock.advance(MINUTE);
        const second = await until(() => runtime.turns[1]);
        expect(second.spec.sessionId).toBe(first.spec.sessionId);
        expect(second.spec.resume).toEqual({ ref: 'native-1', fork: false });
        second.end();
        await ended(world, 2);
        world.write('demo/project.yaml', yaml('other'));
        const run = await ops.triggers.run(USER, 'demo', 'nightly');
        const sessionId = run.ok ? run.value.sessionId : '';
        expect(sessionId).not.toBe(first.spec.sessionId);
        const turn = await until(() => other.turns[0]);
        expect(turn.spec.resume).toBeNull();
        expect(await turn.spec.history()).toEqual([]);
        const texts = await textsOf(world, sessionId);
        expect(texts[1]).toContain(`chat ${first.spec.sessionId} on the native runtime`);
        turn.end();
        await ended(world, 3);
        const again = await ops.triggers.run(USER, 'demo', 'nightly');
        expect(again).toMatchObject({ value: { sessionId } });
        const sent = await ops.chats.send(USER, 'demo', first.spec.sessionId, 'And you?');
        expect(sent).toMatchObject({ ok: true });
        await until(() => runtime.turns[2]);
      },
      { runtimes: [other] },
    );
  });
});

describe('the first turn of a copied chat', () => {
  it('is given the session of the source to copy, and what was said in it', () =>
    withWorld(NO_TRIGGERS, async ({ ops, runtime, until }) => {
      const made = await ops.chats.create(USER, 'demo', { prompt: 'One?' });
      const sessionId = made.ok ? made.value.sessionId : '';
      const first = await until(() => runtime.turns[0]);
      first.session('x'.repeat(1001));
      first.session('s-1');
      first.say('One!');
      first.end();
      await until(async () => {
        const chat = await ops.chats.get('demo', sessionId, {});
        return chat.ok && !chat.value.chat.running;
      });
      await ops.chats.fork(USER, 'demo', sessionId, { prompt: 'Two?' });
      const fork = await until(() => runtime.turns[1]);
      expect(fork.spec.resume).toEqual({ ref: 's-1', fork: true });
      const history = await fork.spec.history();
      expect(history.filter(({ role }) => role !== 'system').map(({ text }) => text)).toEqual([
        'One?',
        'One!',
      ]);
    }));
});

describe('an agent that reports a failure', () => {
  // proves: runtimes.reported-failure
  it('has failed, with its reason', () =>
    withWorld(NO_TRIGGERS, async (world) => {
      const { ops, runtime, until } = world;
      const made = await ops.chats.create(USER, 'demo', { prompt: 'Go.' });
      const sessionId = made.ok ? made.value.sessionId : '';
      const turn = await until(() => runtime.turns[0]);
      expect(turn.spec.instructions).toMatch(/"SVC-FAILED: <reason>"/);
      turn.say('I may not.\nSVC-FAILED: no access to the repository');
      turn.end();
      await until(async () => {
        const texts = await textsOf(world, sessionId);
        return texts.includes('This turn failed: no access to the repository');
      });
    }));
});

describe('the instructions of a turn', () => {
  // proves: runtimes.instructions
  it('stand in the chat word for word, once until they change', () =>
    withWorld('keeper: { instructions: "Be kind.\\nBe brief." }\n', async (world) => {
      const { ops, runtime, until, write } = world;
      const made = await ops.chats.create(USER, 'demo', { prompt: 'One?' });
      const sessionId = made.ok ? made.value.sessionId : '';
      const turn = async (n: number) => {
        const held = await until(() => runtime.turns[n]);
        held.end();
        await until(async () => {
          const chat = await ops.chats.get('demo', sessionId, {});
          return chat.ok && !chat.value.chat.running;
        });
        return held.spec.instructions;
      };
      const first = await turn(0);
      expect(first).toMatch(/^svc started you, unattended.*\n\nBe kind\.\nBe brief\.$/);
      expect((await textsOf(world, sessionId)).slice(1)).toEqual([first, 'One?']);
      const noticeCount = async () =>
        (await textsOf(world, sessionId)).filter((text) => text.startsWith('svc started you'))
          .length;
      await ops.chats.send(USER, 'demo', sessionId, 'Two?');
      expect(await turn(1)).toBe(first);
      expect(await noticeCount()).toBe(1);
      write('demo/project.yaml', 'keeper: { instructions: Be quick. }\n');
      await ops.chats.send(USER, 'demo', sessionId, 'Three?');
      const changed = await turn(2);
      expect(changed).toMatch(/\n\nBe quick\.$/);
      expect((await textsOf(world, sessionId)).at(-1)).toBe(changed);
      expect(await noticeCount()).toBe(2);
    }));

  it('are one line for an agent of its own, and those of the keeper for a legacy schedule', () =>
    withWorld(
      `keeper: { instructions: Be kind. }
schedules: { old: { type: cron, cron: "* * * * *", prompt: Go. } }
${scheduled(', tools: [Read]')}`,
      async ({ clock, runtime, until }) => {
        await clock.advance(MINUTE);
        const turns = await until(() => (runtime.turns.length === 2 ? runtime.turns : null));
        const given = turns.map(({ spec }) => [spec.capability.runsAs, spec.instructions]);
        expect(given).toContainEqual(['agent', expect.stringMatching(/^svc started you, [^\n]*$/)]);
        expect(given).toContainEqual(['keeper', expect.stringMatching(/\n\nBe kind\.$/)]);
      },
    ));
});

describe('what turns used', () => {
  // proves: usage.tokens, usage.sums
  it('is reported for runs, triggers, projects and today', () =>
    withWorld(scheduled(), async (world) => {
      const { clock, runtime, until, ops } = world;
      await clock.advance(MINUTE);
      const used = { tokensIn: 100, tokensOut: 20, costMicrousd: 1500 };
      (await until(() => runtime.turns[0])).end('succeeded', null, used);
      const [run] = await ended(world);
      const reported = { tokensIn: 100, tokensOut: 20, cost: 0.0015 };
      expect(run).toMatchObject(reported);
      await ops.chats.create(USER, 'demo', { prompt: 'Hm?' });
      (await until(() => runtime.turns[1])).end('succeeded', null, { tokensIn: 1 });
      await until(async () => {
        const status = await ops.status();
        return status.ok && status.value.usageToday.chatTurns === 1;
      });
      const list = await ops.triggers.list('demo');
      const usage = { today: { runs: 1, ...reported }, month: { runs: 1, ...reported } };
      expect(list).toMatchObject({ value: { triggers: [{ usage }] } });
      const sum = { ...reported, runs: 1, chatTurns: 1, tokensIn: 101 };
      expect(await ops.status()).toMatchObject({ value: { usageToday: sum } });
      const project = await ops.usage('demo', 3);
      const none = { runs: 0, chatTurns: 0, tokensIn: null, tokensOut: null, cost: null };
      expect(project).toMatchObject({
        value: {
          days: [none, none, { ...sum, day: '2026-03-01' }],
          total: sum,
          triggers: [{ source: 'trigger', name: 'nightly', ...reported, runs: 1, chatTurns: 0 }],
        },
      });
      expect(await ops.usage('demo')).toMatchObject({ value: { days: { length: 30 } } });
      const ran = callAs(ops, ALL, 'run_trigger', { name: 'nightly', wait_seconds: 60 });
      (await until(() => runtime.turns[2])).end('succeeded', null, { tokensOut: 7 });
      expect(await ran).toMatchObject({ value: { tokensIn: null, tokensOut: 7, cost: null } });
    }));

  it.each([
    [1e300, null],
    [Number.MAX_SAFE_INTEGER, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.NaN, null],
    [-5, null],
    [1.5, 2],
  ])('counts %p as %p, so that every sum can be read', (reported, counted) =>
    withWorld(scheduled(), async (world) => {
      const { clock, runtime, until, ops } = world;
      await clock.advance(MINUTE);
      const used = { tokensIn: reported, tokensOut: reported, costMicrousd: reported };
      (await until(() => runtime.turns[0])).end('succeeded', null, used);
      const [run] = await ended(world);
      expect(run).toMatchObject({ outcome: 'succeeded', tokensIn: counted, tokensOut: counted });
      const sums = { tokensIn: counted, tokensOut: counted };
      expect(await ops.status()).toMatchObject({ value: { usageToday: sums } });
    }),
  );
});
