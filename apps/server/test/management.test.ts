import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Running, type TestHome, until, withHome } from './harness.ts';

const A = 'tok_home_0123456789abcdef0123';
const B = 'tok_home_ba9876543210fedc3210';
const DISABLED = '/mcp disabled (no managementApi.clients configured)';
const STAYS = 'configuration not reloaded, keeping the current one';
const config = (clients: string) =>
  `envFile: .env\nmanagementApi:\n  instanceId: home\n  publicUrl: https://svc.example.com\n  clients: ${clients}\n`;
const ONE = '{ one: { auth: { ref: env:ONE } } }';
const TWO = '{ one: { auth: { ref: env:ONE } }, two: { auth: { ref: env:TWO } } }';

function secrets({ home, write }: TestHome, text: string, mode = 0o600): void {
  write('.env', text);
  chmodSync(join(home, '.env'), mode);
}

/** Requests a reload and returns its log lines. */
async function hangUp(server: Running, last: RegExp): Promise<Record<string, unknown>[]> {
  const before = server.lines.length;
  server.process.kill('SIGHUP');
  return until(async () => {
    const lines = server.lines.slice(before);
    return last.test(String(lines.at(-1)?.['msg'])) && lines;
  });
}

describe('the boot line of the management endpoint', () => {
  // proves: handling.enabled-line, handling.disabled-line, handling.disabled-line.cause
  it.each<[string, string, Record<string, unknown>[]]>([
    ['no configuration', 'log: { level: info }\n', [{ level: 30, msg: DISABLED }]],
    [
      'a valid one',
      config(ONE),
      [{ level: 30, msg: '/mcp enabled', clients: ['one'], instanceId: 'home' }],
    ],
    [
      'a wrong public URL',
      config(ONE).replace('https:', 'http:'),
      [
        {
          level: 50,
          msg: 'managementApi is invalid',
          key: 'managementApi.publicUrl',
        },
        { level: 30, msg: DISABLED },
      ],
    ],
    [
      'no token',
      config('{ one: { auth: { ref: env:NONE } } }'),
      [
        { level: 40, clientId: 'one', variable: 'NONE' },
        { level: 30, msg: DISABLED },
      ],
    ],
  ])('is logged once, right before listening: %s', (_name, text, wanted) =>
    withHome(async (home) => {
      home.write('svc.config.yaml', text);
      secrets(home, `ONE=${A}\n`);
      const server = await home.serve();
      expect(server.lines.slice(-wanted.length - 1)).toMatchObject([
        ...wanted,
        { msg: 'listening' },
      ]);
      expect(server.lines.filter(({ msg }) => /^\/mcp /.test(String(msg)))).toHaveLength(1);
    }),
  );

  it('is not logged when envFile is readable by others: svc refuses to start', () =>
    withHome(async (home) => {
      home.write('svc.config.yaml', config(ONE));
      secrets(home, `ONE=${A}\n`, 0o640);
      await expect(home.serve()).rejects.toThrow(
        /^exit 1: svc: The envFile .+ \(mode 640\)\. Run chmod 600 .+\n$/,
      );
    }));
});

// proves: handling.reload
it('SIGHUP reloads clients and tokens, and keeps the old ones on an error', () =>
  withHome(async (home) => {
    home.write('svc.config.yaml', config(ONE));
    secrets(home, `ONE=${A}\n`);
    const server = await home.serve({ TWO: B });
    const errors: unknown[] = [];

    home.write('svc.config.yaml', config(TWO));
    expect(await hangUp(server, /reloaded/)).toMatchObject([
      { msg: '/mcp enabled', clients: ['one', 'two'] },
      { level: 30, msg: 'reloaded', file: expect.stringContaining('svc.config.yaml') },
    ]);

    for (const broken of ['managementApi: [\n', 'maxSpawnDepth: 99\n', 'envFile: nowhere\n']) {
      home.write('svc.config.yaml', broken);
      const lines = await hangUp(server, /reloaded/);
      expect(lines).toMatchObject([{ level: 50, msg: STAYS }]);
      errors.push(lines[0]?.['error']);
    }
    rmSync(join(home.home, 'svc.config.yaml'));
    errors.push((await hangUp(server, /reloaded/))[0]?.['error']);
    home.write('svc.config.yaml', config(TWO));
    secrets(home, `ONE=${A}\n`, 0o644);
    errors.push((await hangUp(server, /reloaded/))[0]?.['error']);
    expect(errors).toEqual([
      expect.stringMatching(/svc\.config\.yaml:\d+: /),
      expect.stringContaining('maxSpawnDepth must be'),
      expect.stringContaining('nowhere does not exist'),
      expect.stringContaining('svc.config.yaml no longer exists'),
      expect.stringContaining('Run chmod 600'),
    ]);

    // One token is removed, and another setting has changed, which needs a restart.
    home.write('svc.config.yaml', `${config(TWO)}maxSpawnDepth: 3\n`);
    secrets(home, '# none\n');
    expect(await hangUp(server, /reloaded/)).toMatchObject([
      {
        level: 40,
        msg: 'changed settings need a restart',
        settings: ['maxSpawnDepth'],
      },
      { level: 40, clientId: 'one' },
      { msg: '/mcp enabled', clients: ['two'] },
      { msg: 'reloaded' },
    ]);
    for (const secret of [A, B]) expect(JSON.stringify(server.lines)).not.toContain(secret);
    expect(await server.stop()).toBe(0);
  }));

it('agents get no variable that is set in envFile alone', () =>
  withHome(async (home) => {
    home.write('svc.config.yaml', `agents: { env: [ONE, TWO] }\n${config(ONE)}`);
    secrets(home, `ONE=${A}\nTWO=${A}\n`);
    home.write(
      'projects/demo/project.yaml',
      `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\nenv > env.txt\\n\`\`\`\\n" }
    enabled: false
`,
    );
    const server = await home.serve({ TWO: 'of the process' });
    await server.send('POST', '/api/projects/demo/triggers/it/run');
    const env = await until(async () => {
      const text = home.tryRead('projects/demo/env.txt');
      return text.includes('SVC_TURN_ID') && text;
    });
    expect(env).toMatch(/^TWO=of the process$/m);
    expect(env).not.toMatch(/^ONE=/m);
    expect(env).not.toContain(A);
  }));
