import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { fire, transcript, writeProject, writeSettings } from '../test/agents.ts';
import { type Running, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const SECRET = 'known-to-the-service-alone';
const bash = (command: string): string => `\`\`\`bash\n${command}\n\`\`\`\n`;
const steps = (command: string) => ({ prompt: bash(command), model: 'playbook', tools: ['Bash'] });

/** A service whose agents run in sandboxes, and what its agent printed by a command. */
async function inSandbox(
  command: (home: TestHome) => string,
  test: (parts: { home: TestHome; server: Running; printed: string }) => Promise<void>,
  settings: object = {},
): Promise<void> {
  await withHome(async (home) => {
    writeSettings(home, {
      agents: { sandbox: { mode: 'required', ...settings } },
      envFile: 'secret.env',
      runtime: {
        external: {
          shell: { command: '/bin/bash', args: ['-s'], protocol: 'text', model: null },
        },
      },
    });
    home.write('secret.env', `SVC_TOKEN_X=${SECRET}\n`);
    chmodSync(join(home.home, 'secret.env'), 0o600);
    home.write('projects/other/project.yaml', 'summary: another project\n');
    writeProject(home, {
      it: steps(command(home)),
    });
    const server = await home.serve({ SVC_TOKEN_Y: SECRET });
    const run = await fire(server, 'it');
    const messages = await transcript(server, run.sessionId);
    const printed = messages.filter(({ kind }) => kind === 'tool_result').map(({ text }) => text);
    await test({ home, server, printed: printed.join('\n') });
  });
}

function commandsWith(text: string): readonly string[] {
  const commands = readdirSync('/proc').map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  return commands.filter((command) => command.includes(text));
}

describe('Bash in a sandbox', () => {
  it('sees no secret, no file and no other project of the service', () =>
    inSandbox(
      ({ home }) =>
        [
          'cat /proc/[0-9]*/environ | tr "\\0" "\\n"',
          `cat ${home}/secret.env ${home}/svc.config.yaml ${home}/data/* ${home}/projects/other/*`,
          `ls -A ${home} ${home}/projects`,
          'echo end',
        ].join('; '),
      async ({ printed }) => {
        expect(printed).not.toContain(SECRET);
        expect(printed).not.toContain('another project');
        expect(printed.match(/^(?:demo|projects|end)$/gm)).toEqual(['projects', 'demo', 'end']);
      },
    ));

  it('is recorded in the run, and shown in the chat', () =>
    inSandbox(
      () => 'true',
      async ({ server }) => {
        const run = await fire(server, 'it');
        expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
        const [banner] = await transcript(server, run.sessionId);
        expect(banner?.text).toContain('Bash runs in a sandbox');
      },
    ));

  it('writes no protected path, and leaves no process', () =>
    inSandbox(
      () =>
        'echo "x:" 1 >> project.yaml; mkdir -p .svc/triggers; echo x > .svc/triggers/it.md; mkdir .claude; (setsid sleep 76543210 &) >/dev/null 2>&1; echo kept > notes.md',
      async ({ home }) => {
        const folder = join(home.home, 'projects/demo');
        expect(readFileSync(join(folder, 'project.yaml'), 'utf8')).not.toContain('x: 1');
        expect(readdirSync(folder).sort()).toEqual(['notes.md', 'project.yaml']);
        expect(commandsWith('76543210')).toEqual([]);
      },
    ));

  it('ends when the service is killed', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode: 'required' } } });
      writeProject(home, { it: steps('touch started; setsid sleep 65432109') });
      const server = await home.serve();
      await server.send('POST', '/api/projects/demo/triggers/it/run');
      await until(async () => commandsWith('65432109').length > 0 || null);
      await server.stop('SIGKILL');
      await until(async () => commandsWith('65432109').length === 0 || null);
    }));

  it.each(['before', 'meanwhile'])(
    'cannot change project.yaml while a person edits a trigger, if it opens %s',
    (opens) =>
      withHome(async (home) => {
        writeSettings(home, { agents: { sandbox: { mode: 'required' } } });
        const attack =
          'for i in $(seq 1 100000); do echo ev"i"l: > project.yaml; echo ev"i"l > .project.yaml.svc-new; touch started; [ -e stop ] && exit; done 2>/dev/null';
        writeProject(home, { it: steps(attack), edited: { prompt: 'first', tools: [] } });
        const server = await home.serve();
        const running = fire(server, 'it');
        if (opens === 'before') {
          await until(async () => existsSync(join(home.home, 'projects/demo/started')) || null);
        }
        const address = '/api/projects/demo/triggers/edited';
        for (let round = 1; round <= 15; round += 1) {
          const { body } = await server.get(address);
          const { trigger, policy } = body as { trigger: object; policy: object };
          const run = { prompt: `round ${round}`, tools: [] };
          const put = await server.send('PUT', address, { trigger, run, policy, enabled: false });
          expect(put.status).toBe(200);
          const text = home.tryRead('projects/demo/project.yaml');
          expect(text).toContain(`round ${round}`);
          expect(text).not.toContain('evil');
        }
        home.write('projects/demo/stop', '');
        expect(await running).toMatchObject({ sandbox: 'enforced' });
      }),
  );

  it('fails its turn at a limit, and says why', () =>
    inSandbox(
      () => 'node -e "const a = []; for (;;) a.push(Buffer.alloc(16 << 20, 1));"',
      async ({ server }) => {
        expect(await fire(server, 'it')).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining('the limit is 300 MiB (agents.sandbox.memory)'),
        });
      },
      { memory: '300MiB' },
    ));

  it('fails where it is required but not possible', () =>
    inSandbox(
      () => 'touch ran',
      async ({ home, server }) => {
        expect(await fire(server, 'it')).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining('agents.sandbox.bwrap is /nowhere/bwrap'),
        });
        expect(existsSync(join(home.home, 'projects/demo/ran'))).toBe(false);
      },
      { bwrap: '/nowhere/bwrap' },
    ));

  it('runs without a sandbox where it is not possible, if that is allowed, and says so', () =>
    inSandbox(
      () => 'touch ran',
      async ({ home, server }) => {
        expect(await fire(server, 'it')).toMatchObject({ outcome: 'succeeded', sandbox: 'none' });
        expect(existsSync(join(home.home, 'projects/demo/ran'))).toBe(true);
      },
      { bwrap: '/nowhere/bwrap', mode: 'auto' },
    ));
});

describe('a project.yaml that is replaced while an agent could change it', () => {
  it('takes effect after a person confirmed it, also after a restart', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode: 'required' } } });
      writeProject(home, { it: steps('touch started; until [ -e end ]; do sleep 0.02; done') });
      const server = await home.serve();
      const fired = fire(server, 'it');
      await until(async () => existsSync(join(home.home, 'projects/demo/started')) || null);
      const file = join(home.home, 'projects/demo/project.yaml');
      rmSync(file);
      writeProject(home, { it: steps('true'), planted: steps('true') });
      const namesOf = async ({ get }: Running) => {
        const { body } = await get('/api/projects/demo/triggers');
        const { triggers, invalid } = body as Record<
          'triggers' | 'invalid',
          Record<string, string>[]
        >;
        return [...invalid.map(({ kind }) => kind), ...triggers.map(({ name }) => name)];
      };
      const held = ['unconfirmed', 'it'];
      await until(async () => ((await namesOf(server)).length === held.length ? true : null));
      expect(await namesOf(server)).toEqual(held);
      const put = { trigger: { type: 'schedule', interval: '2h' }, run: steps('true') };
      const refused = await server.send('PUT', '/api/projects/demo/triggers/it', put);
      expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
      home.write('projects/demo/end', '');
      expect(await fired).toMatchObject({ outcome: 'succeeded' });
      await server.stop();

      const later = await home.serve();
      expect(await namesOf(later)).toEqual(held);
      const { out } = await home.run('confirm', 'demo');
      expect(out).toContain('\n+  planted:\n');
      const outdated = await home.run('confirm', 'demo', '--etag', 'x');
      expect(outdated).toMatchObject({ code: 1, error: expect.stringContaining('Check it again') });
      const confirmed = await home.run(
        'confirm',
        'demo',
        '--etag',
        /--etag (\S+)/.exec(out)?.[1] ?? '',
      );
      expect(confirmed.out).toContain('is confirmed and in effect');
      expect(await namesOf(later)).toEqual(['it', 'planted']);
      const { body } = await later.get('/api/projects/demo/triggers/it/changes');
      const kinds = (body as { changes: { kind: string }[] }).changes.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['unconfirmed', 'confirmed']));
    }));
});

describe('a server', () => {
  it('explains once that agents run in a sandbox', () =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', '');
      const first = await home.serve();
      expect(first.sandboxes).toMatchObject([{ msg: 'agents run in a sandbox from now on' }]);
      expect((await first.get('/api/status')).body).toMatchObject({ sandboxLack: null });
      await first.stop();
      const second = await home.serve();
      expect(second.sandboxes).toEqual([]);
    }));

  it('warns once if agents run without one, and its status says why', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { bwrap: '/nowhere/bwrap' } } });
      writeProject(home, { it: steps('true') });
      const server = await home.serve();
      const reason = expect.stringContaining('agents.sandbox.bwrap is /nowhere/bwrap');
      await fire(server, 'it');
      expect(server.sandboxes).toMatchObject([
        { level: 40, msg: 'agents run without a sandbox', reason },
      ]);
      const { body } = await server.get('/api/status');
      expect(body).toMatchObject({ sandboxLack: { reason, intended: false, required: false } });
      const { out } = await home.run('status');
      expect(out).toContain('agents: not sandboxed. agents.sandbox.bwrap is /nowhere/bwrap');
    }));

  it('logs an error if a sandbox is required but missing, and its status says that agents cannot start', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode: 'required', bwrap: '/nowhere/bwrap' } } });
      const server = await home.serve();
      const reason = expect.stringContaining('agents.sandbox.bwrap is /nowhere/bwrap');
      const msg = 'sandboxes are required but not available';
      expect(server.sandboxes).toMatchObject([{ level: 50, msg, reason }]);
      const { body } = await server.get('/api/status');
      expect(body).toMatchObject({ sandboxLack: { reason, intended: false, required: true } });
      const { out } = await home.run('status');
      expect(out).toContain(
        'agents: cannot start in a sandbox, which is required. agents.sandbox.bwrap is /nowhere/bwrap',
      );
    }));

  it('logs once at the start that sandboxes are off', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode: 'off' } } });
      const server = await home.serve();
      const reason = 'Sandboxes are off (agents.sandbox.mode).';
      const msg = 'agents run without a sandbox';
      expect(server.sandboxes).toMatchObject([{ level: 30, msg, reason }]);
      const { body } = await server.get('/api/status');
      expect(body).toMatchObject({ sandboxLack: { reason, intended: true, required: false } });
    }));
});

describe('svc doctor', () => {
  it('reports that agents can run in sandboxes', () =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode: 'auto' } } });
      const { out } = await home.run('doctor');
      expect(out).toContain('sandbox: available');
    }));

  it.each([
    ['required', 1],
    ['auto', 0],
  ])('reports what is missing with the mode %s, and ends with %s', (mode, code) =>
    withHome(async (home) => {
      writeSettings(home, { agents: { sandbox: { mode, bwrap: '/nowhere/bwrap' } } });
      const done = await home.run('doctor');
      expect(done.out).toContain('sandbox: not available');
      expect(done.out).toContain('agents.sandbox.bwrap is /nowhere/bwrap');
      expect(done.code).toBe(code);
    }),
  );
});

describe('an external agent in a sandbox', () => {
  it('sees its project and nothing else, and no socket file of this machine', () =>
    withHome(async (home) => {
      writeSettings(home, {
        agents: { sandbox: { mode: 'required' } },
        runtime: { external: { shell: { command: 'bash', args: ['-s'], protocol: 'text' } } },
      });
      const socket = createServer().listen(join(home.home, 'docker.sock'));
      const look = `ls -A ${home.home} ${home.home}/projects; pwd; echo "$HOME"; exit 0\n`;
      writeProject(home, { it: { prompt: look, runtime: 'shell' } });
      const server = await home.serve();
      const run = await fire(server, 'it');
      const messages = await transcript(server, run.sessionId);
      socket.close();
      expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
      const answer = messages.filter(({ role }) => role === 'assistant').map(({ text }) => text);
      expect(answer.join('\n')).toContain(`${home.home}/projects/demo\n/home/agent`);
      expect(answer.join('\n')).not.toContain('docker.sock');
      expect(answer.join('\n')).not.toContain('svc.config.yaml');
    }));
});
