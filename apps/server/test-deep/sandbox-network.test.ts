import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Message, Run } from '@svc/records';
import { fire, transcript, writeProject, writeSettings } from '../test/agents.ts';
import { type Running, type TestHome, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const AGENT = new URL(
  '../../../packages/runtime-external/test/agents/raw-agent.mjs',
  import.meta.url,
).pathname;
const bash = (...lines: string[]): string => `\`\`\`bash\n${lines.join('\n')}\n\`\`\`\n`;
const fetched = (url: string): string => `~~~tool WebFetch\n${JSON.stringify({ url })}\n~~~\n`;
const steps = (prompt: string, more = {}) => ({
  ...{ prompt, model: 'playbook', tools: ['Bash', 'WebFetch'], ...more },
});

// Asks the proxy of the sandbox for a tunnel, and prints the status and what comes first.
const TUNNEL = `
const [target] = process.argv.slice(2);
const { connect } = require('node:net');
const socket = connect(new URL(process.env.HTTPS_PROXY).port, '127.0.0.1');
socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\nGET /tunnel HTTP/1.0\\r\\n\\r\\n');
let text = '';
socket.on('data', (chunk) => { text += chunk; });
socket.on('close', () => console.log(target, text.split('\\r\\n')[0], text.includes('of this machine')));
socket.on('error', () => {});
setTimeout(() => socket.destroy(), 5000).unref();
`;
const tunnel = (target: string): string => `node tunnel.cjs ${target}`;

interface World {
  readonly home: TestHome;
  readonly server: Running;
  /** The port of a server on this machine. */
  readonly port: number;
  /** What that server was asked for. */
  readonly asked: readonly string[];
}

type Triggers = (parts: { readonly port: number }) => Record<string, object>;

/** A service on a machine with another server, which is in the list of the instance unless `network` says otherwise. */
async function withService(
  triggers: Triggers,
  test: (world: World) => Promise<void>,
  {
    sandbox = {},
    external = {},
    project = {},
    more = {},
  }: {
    sandbox?: object;
    external?: object;
    project?: object;
    more?: object;
  } = {},
): Promise<void> {
  const asked: string[] = [];
  const other = createHttpServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('of this machine');
  });
  const port = await listen(other);
  try {
    await withHome(async (home) => {
      const network = [`127.0.0.1:${port}`, 'listed.invalid'];
      writeSettings(home, {
        ...more,
        agents: { sandbox: { mode: 'auto', network, ...sandbox } },
        runtime: { external },
      });
      writeProject(home, triggers({ port }), project);
      home.write('projects/demo/tunnel.cjs', TUNNEL);
      const server = await home.serve();
      await test({ home, server, port, asked });
    });
  } finally {
    other.close();
    other.closeAllConnections();
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function textsOf(server: Running, run: Run, kind: Message['kind']): Promise<string> {
  const messages = await transcript(server, run.sessionId);
  return messages
    .filter((message) => message.kind === kind && message.role !== 'user')
    .map(({ text }) => text)
    .join('\n');
}

const refused = (host: string, port: number, count = 1) =>
  expect.objectContaining({ host, port, count });

describe('the network of a sandbox', () => {
  it('reaches only listed hosts, and the run shows what was reached and refused', () =>
    withService(
      ({ port }) => ({
        it: steps(
          bash(
            `node -e 'fetch("http://127.0.0.1:${port}/direct").then((answer) => answer.text()).then(console.log)'`,
            tunnel(`127.0.0.1:${port}`),
            tunnel('other.invalid:443'),
            tunnel('169.254.169.254:80'),
            tunnel('localhost:80'),
            tunnel('10.0.0.1:22'),
          ) + fetched('http://unlisted.invalid/'),
        ),
      }),
      async ({ server, port, asked }) => {
        const run = await fire(server, 'it');
        expect([...asked].sort()).toEqual(['/direct', '/tunnel']);
        expect(await textsOf(server, run, 'tool_result')).toContain(
          [
            'of this machine',
            `127.0.0.1:${port} HTTP/1.1 200 Connection Established true`,
            'other.invalid:443 HTTP/1.1 403 Forbidden false',
            '169.254.169.254:80 HTTP/1.1 403 Forbidden false',
            'localhost:80 HTTP/1.1 403 Forbidden false',
            '10.0.0.1:22 HTTP/1.1 403 Forbidden false',
          ].join('\n'),
        );
        expect(run).toMatchObject({ sandbox: 'enforced' });
        expect(run.network?.reached).toEqual([refused('127.0.0.1', port, 2)]);
        expect(run.network?.refused).toEqual([
          refused('10.0.0.1', 22),
          refused('169.254.169.254', 80),
          refused('localhost', 80),
          refused('other.invalid', 443),
          refused('unlisted.invalid', 80),
        ]);
        expect(run.network?.refused[3]?.reason).toBe(
          'other.invalid:443 is not an allowed host. Add other.invalid:443 to agents.sandbox.network.',
        );
        expect(await textsOf(server, run, 'notice')).toContain(
          `Network: 127.0.0.1:${port}, listed.invalid.`,
        );
      },
    ));

  it('has no other way out: not to svc, to sockets of this machine, or to a resolver', () =>
    withService(
      () => ({
        it: steps(
          bash(
            'for port in $(cat ports); do (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null && echo open $port; done',
            'getent hosts listed.invalid localhost.localdomain; ls /sys/class/net 2>/dev/null',
            'tail -n +2 /proc/net/unix | wc -l; tail -n +3 /proc/net/dev | cut -d: -f1',
            'echo end',
          ),
        ),
      }),
      async ({ home, server, port }) => {
        const own = new URL(server.url).port;
        writeFileSync(join(home.home, 'projects/demo/ports'), `${own} 31281 22 80`);
        const run = await fire(server, 'it');
        const printed = await textsOf(server, run, 'tool_result');
        expect(
          printed
            .trim()
            .split('\n')
            .map((line) => line.trim()),
        ).toEqual(['0', 'lo', 'end']);
        expect(run.network).toEqual({ reached: [], refused: [] });
        expect(port).not.toBe(Number(own));
      },
    ));

  it('is narrowed by the project and the trigger, and never widened', () =>
    withService(
      ({ port }) => ({
        none: steps(bash(tunnel(`127.0.0.1:${port}`)), { network: [] }),
        wider: steps(bash(tunnel(`127.0.0.1:${port}`), tunnel('wide.invalid:443')), {
          network: [`127.0.0.1:${port}`, 'wide.invalid'],
        }),
        fetching: steps(fetched('http://listed.invalid/'), { tools: ['WebFetch'], network: [] }),
      }),
      async ({ server, port, asked }) => {
        const none = await fire(server, 'none');
        expect(none.network).toEqual({ reached: [], refused: [refused('127.0.0.1', port)] });
        expect(none.network?.refused[0]?.reason).toContain(
          'to run.network, or network of the project',
        );
        const wider = await fire(server, 'wider');
        expect(wider.network?.reached).toEqual([refused('127.0.0.1', port)]);
        expect(wider.network?.refused).toEqual([refused('wide.invalid', 443)]);
        expect(asked).toEqual(['/tunnel']);
        const { body } = await server.get('/api/projects/demo/triggers/wider');
        expect(JSON.stringify(body)).toContain('allows more than agents.sandbox.network');
        const fetching = await fire(server, 'fetching');
        expect(fetching).toMatchObject({ outcome: 'denied', sandbox: null });
        expect(fetching.network?.refused).toEqual([refused('listed.invalid', 80)]);
      },
    ));

  it('carries git over ssh', () =>
    withService(
      ({ port }) => ({
        it: steps(
          bash(
            // Starts its ProxyCommand as ssh does.
            "mkdir -p bin && cat > bin/ssh <<'END'",
            '#!/bin/sh',
            `command=$(printf %s "$\{2#ProxyCommand=}" | sed "s/%h/$HOST/; s/%p/$PORT/")`,
            'exec sh -c "exec $command"',
            'END',
            'chmod +x bin/ssh',
            `export PATH=$PWD/bin:$PATH HOST=127.0.0.1 PORT=${port}`,
            '(printf "GET /ssh HTTP/1.0\\r\\n\\r\\n"; sleep 0.5) | sh -c "$GIT_SSH_COMMAND" | tail -1; echo',
            'HOST=other.invalid; sh -c "$GIT_SSH_COMMAND" </dev/null; echo $?',
          ),
        ),
      }),
      async ({ server, asked }) => {
        const run = await fire(server, 'it');
        expect(asked).toEqual(['/ssh']);
        const printed = await textsOf(server, run, 'tool_result');
        expect(printed).toMatch(/^of this machine\n.*is not an allowed host\. .*\n1$/m);
      },
    ));

  it('is not limited and not recorded if the instance says so, and no list is accepted then', () =>
    withService(
      ({ port }) => ({
        it: steps(
          bash(
            `node -e 'fetch("http://127.0.0.1:${port}/direct").then((answer) => answer.text()).then(console.log)'`,
          ),
        ),
        limited: steps(bash('touch ran'), { network: ['a.invalid'] }),
      }),
      async ({ home, server, asked }) => {
        const run = await fire(server, 'it');
        expect(run).toMatchObject({ outcome: 'succeeded', sandbox: 'none', network: null });
        expect(asked).toEqual(['/direct']);
        expect(await textsOf(server, run, 'notice')).toContain('Network: not limited');
        expect(await fire(server, 'limited')).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining('run.network cannot be enforced'),
        });
        expect(existsSync(join(home.home, 'projects/demo/ran'))).toBe(false);
        const put = await server.send('PUT', '/api/projects/demo/triggers/new', {
          trigger: { type: 'schedule', interval: '1h' },
          run: { prompt: 'x', tools: ['Bash'], network: ['a.invalid'] },
          enabled: false,
        });
        expect(put.status).toBe(400);
        expect(JSON.stringify(put.body)).toContain('run.network');
      },
      { sandbox: { network: 'unrestricted' } },
    ));

  it('refuses invalid entries by name', () =>
    withService(
      () => ({}),
      async ({ server }) => {
        const put = await server.send('PUT', '/api/projects/demo/triggers/new', {
          trigger: { type: 'schedule', interval: '1h' },
          run: { prompt: 'x', tools: ['Bash'], network: ['https://a.invalid'] },
          enabled: false,
        });
        expect(put.status).toBe(400);
        expect(JSON.stringify(put.body)).toMatch(/run\.network\[0\].*must not contain a scheme/);
      },
    ));
});

describe('the tools of an external agent', () => {
  const shell = { command: 'bash', args: ['-s'], protocol: 'text' };
  const agent = { command: process.execPath, args: [AGENT], protocol: 'acp' };
  const attempt = ['echo x > made', tunnel('other.invalid:443'), 'exit 0', ''].join('\n');

  it('are enforced by its sandbox as read or write access and network', () =>
    withService(
      () => ({
        reads: { prompt: attempt, runtime: 'shell', tools: ['Read', 'Grep'] },
        writes: { prompt: attempt, runtime: 'shell', tools: ['Write'] },
      }),
      async ({ home, server }) => {
        const made = join(home.home, 'projects/demo/made');
        const reads = await fire(server, 'reads');
        expect(reads).toMatchObject({ outcome: 'succeeded', sandbox: 'enforced' });
        expect(existsSync(made)).toBe(false);
        expect(reads.network?.refused).toEqual([refused('other.invalid', 443)]);
        expect(reads.network?.refused[0]?.reason).toContain('runtime.external.shell.hosts');
        expect(await textsOf(server, reads, 'notice')).toContain(
          'Tools: Read, Grep, enforced by a sandbox as read-only access to the project folder',
        );
        expect(await fire(server, 'writes')).toMatchObject({ sandbox: 'enforced' });
        expect(existsSync(made)).toBe(true);
        const put = await server.send('PUT', '/api/projects/demo/triggers/new', {
          trigger: { type: 'schedule', interval: '1h' },
          run: { prompt: 'x', runtime: 'shell', tools: ['Read'] },
          enabled: false,
        });
        expect(put.status).toBe(200);
        expect(JSON.stringify(put.body)).toContain(
          'as read-only access to the project and only the hosts of its vendor',
        );
      },
      { external: { shell } },
    ));

  it.each([
    ['off', {}],
    ['auto', { bwrap: '/nowhere/bwrap' }],
  ])('never run without a sandbox that they need: mode %s', (mode, more) =>
    withService(
      () => ({ reads: { prompt: attempt, runtime: 'shell', tools: ['Read'] } }),
      async ({ home, server }) => {
        expect(await fire(server, 'reads')).toMatchObject({
          outcome: 'failed',
          reason: expect.stringContaining('run.tools cannot be enforced'),
        });
        expect(existsSync(join(home.home, 'projects/demo/made'))).toBe(false);
      },
      { external: { shell }, sandbox: { mode, ...more } },
    ),
  );

  it('do not limit the hosts of its vendor', () =>
    withService(
      ({ port }) => ({
        reads: {
          prompt: [tunnel(`127.0.0.1:${port}`), 'exit 0', ''].join('\n'),
          runtime: 'shell',
          tools: ['Read'],
        },
      }),
      async ({ server, port, asked }) => {
        const run = await fire(server, 'reads');
        expect(run.network?.refused).toEqual([refused('127.0.0.1', port)]);
        expect(asked).toEqual([]);
      },
      { external: { shell } },
    ));

  it('have their refused hosts named by svc doctor, until these are listed', () =>
    withService(
      () => ({
        reads: {
          prompt: `${tunnel('api.vendor.invalid:443')}\nexit 0\n`,
          runtime: 'shell',
          tools: ['Read'],
        },
      }),
      async ({ home, server }) => {
        const { id } = await fire(server, 'reads');
        const refusal = `  refused    api.vendor.invalid:443 in run ${id}; if the agent needs it, add it to runtime.external.shell.hosts\n`;
        expect((await home.run('doctor')).out).toContain(refusal);
        const listed = { ...shell, hosts: ['*.vendor.invalid'] };
        writeSettings(home, { runtime: { external: { shell: listed } } });
        expect((await home.run('doctor')).out).not.toContain('api.vendor.invalid');
      },
      { external: { shell } },
    ));

  it('reach operations of svc through a port of the sandbox, which no record shows', () =>
    withService(
      () => ({
        it: {
          prompt: `[${JSON.stringify([{ servers: null }, { operation: { name: 'list_triggers' } }])}]`,
          runtime: 'agent',
          tools: ['mcp__svc_manage__list_triggers'],
        },
      }),
      async ({ home, server }) => {
        mkdirSync(join(home.home, 'x'), { recursive: true });
        const run = await fire(server, 'it');
        const text = (await transcript(server, run.sessionId)).map((one) => one.text).join('\n');
        expect(text).toContain('http://127.0.0.1:31281/mcp');
        expect(text).toMatch(/200 .*list_triggers|200 .*trigger-demo-it/);
        expect(run).toMatchObject({
          outcome: 'succeeded',
          sandbox: 'enforced',
          network: { reached: [], refused: [] },
        });
      },
      {
        external: { agent },
        project: { hooksMcpEnabled: true },
        more: { selfMcpEnabled: true, selfMcpWriteEnabled: true, hooksMcpEnabled: true },
      },
    ));
});
