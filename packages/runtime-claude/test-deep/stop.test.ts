import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { resolveAgentUser, TurnStop } from '@svc/agent-runtime';
import { clock, makeSpec, reaper, runTurn, until } from '../test/support.ts';
import { FILE_HELPER, inWorld } from './world.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

/** Ids of the processes with the turn id in their environment. */
function processesOf(turnId: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      const dead = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      return !dead && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(turnId);
    } catch {
      return false;
    }
  });
}

// proves: claude.orphans
describe('a stopped turn', () => {
  it.each([
    ['cancelled', 'sleep 1000'],
    [
      'timed_out',
      'trap "" TERM; setsid sh -c "trap : TERM; while :; do sleep 1; done" & sleep 1000',
    ],
  ] as const)('is %s and leaves no process', async (kind, command) => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([bash(`touch begun; ${command}`)]);
      const spec = makeSpec(project);
      const stop = new AbortController();
      const running = runTurn(runtime, spec, stop.signal);
      await until(() => existsSync(join(project, 'begun')));
      expect(processesOf(spec.turnId).length).toBeGreaterThan(1);
      stop.abort(new TurnStop(kind, 'The turn was stopped.'));
      const { end } = await running;
      expect(end).toMatchObject({ outcome: kind, reason: 'The turn was stopped.', turns: 1 });
      expect(processesOf(spec.turnId)).toEqual([]);
    });
  });

  it('stops while the model does not respond', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([{ silent: true }]);
      const spec = makeSpec(project);
      const stop = new AbortController();
      const running = runTurn(runtime, spec, stop.signal);
      await until(() => model.requests.length > 0);
      stop.abort(new TurnStop('interrupted', 'The service stops.'));
      expect((await running).end).toMatchObject({ outcome: 'interrupted', turns: 0 });
      expect(processesOf(spec.turnId)).toEqual([]);
    });
  });

  it('can be resumed', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([bash('touch begun; sleep 1000')]);
      const stop = new AbortController();
      const running = runTurn(runtime, makeSpec(project), stop.signal);
      await until(() => existsSync(join(project, 'begun')));
      stop.abort();
      const { sessions } = await running;
      model.script([{ text: 'I continue.' }]);
      const resume = { ref: sessions[0] ?? '', fork: false };
      const { end, texts, messages } = await runTurn(runtime, makeSpec(project, { resume }));
      expect(end.outcome).toBe('succeeded');
      expect(texts).toEqual(['I continue.']);
      expect(messages.map(({ kind }) => kind)).not.toContain('notice');
    });
  });
});

// proves: claude.orphans
describe('a finished turn', () => {
  it('leaves no background process', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([bash('setsid sleep 1000 > /dev/null 2>&1 & echo $! > pid')]);
      const spec = makeSpec(project);
      const { end } = await runTurn(runtime, spec);
      expect(end.outcome).toBe('succeeded');
      expect(existsSync(join(project, 'pid'))).toBe(true);
      expect(processesOf(spec.turnId)).toEqual([]);
    });
  });
});

describe('a process without variable, session and parent of the turn', () => {
  // proves: runtimes.marked
  it('is killed with the turn', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      const quiet = '> /dev/null 2>&1 &';
      const shed = `env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 1000 ${quiet} echo $! > pid'`;
      model.script([bash(shed)]);
      const { end } = await runTurn(runtime, makeSpec(project));
      expect(end.outcome).toBe('succeeded');
      const pid = Number(await readFile(join(project, 'pid'), 'utf8'));
      expect(pid).toBeGreaterThan(0);
      // The parent may need a moment to reap it.
      await until(() => !existsSync(`/proc/${pid}`));
    });
  });
});

describe('a turn whose service was killed', () => {
  it('is found by the mark of its processes', async () => {
    await inWorld(async ({ model, project, runtime }) => {
      model.script([bash('touch begun; setsid sleep 1000')]);
      const spec = makeSpec(project);
      const stop = new AbortController();
      const running = runTurn(runtime, spec, stop.signal);
      await until(() => existsSync(join(project, 'begun')));
      // The service does this when it starts again.
      expect((await reaper.endTurns([spec.turnId])).ended).toBeGreaterThan(1);
      expect(processesOf(spec.turnId)).toEqual([]);
      expect((await running).end.outcome).toBe('failed');
    });
  });
});

const isRoot = process.getuid?.() === 0;

describe(isRoot ? 'another user' : 'another user, without the right to change users', () => {
  it(isRoot ? 'runs everything of a turn' : 'is refused', async () => {
    const user = await resolveAgentUser({ clock }, { user: 'nobody', fileHelper: FILE_HELPER });
    if (!isRoot || !user.ok) {
      expect(user.ok).toBe(false);
      return;
    }
    await inWorld(
      async ({ model, project, runtime, state }) => {
        await chmod(dirname(project), 0o711);
        await chown(project, user.value.uid, user.value.gid);
        model.script([
          bash('id -u; id -u > by-shell'),
          { calls: [{ name: 'Write', input: { file_path: 'by-tool', content: 'x' } }] },
        ]);
        const { end, results } = await runTurn(runtime, makeSpec(project));
        expect(end).toMatchObject({ outcome: 'succeeded' });
        expect(results[0]).toContain(String(user.value.uid));
        expect(await readFile(join(project, 'by-shell'), 'utf8')).toBe(`${user.value.uid}\n`);
        expect(await runtime.selfTest?.()).toEqual({ passed: true });
        expect(await readFile(join(state, 'fence.json'), 'utf8')).toContain('nobody');
      },
      { user: user.value },
    );
  });
});
