import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HTTP_LIMITS } from '@svc/http-listener';
import { resolveSettings } from '@svc/settings';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { BIN, until, withHome } from '../test/harness.ts';
import { openWire } from '../test/wire.ts';

jest.setTimeout(120_000);

const run = promisify(execFile);
const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-deploy-'));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

// Node has no sockets of this kind; perl is part of every Debian.
const LISTENER = `use Socket; $| = 1;
socket(S, PF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) && chmod(0777, $ARGV[0]) || die;
print "bound\\n";
while (defined(recv(S, $text, 65536, 0))) { print "$text\\n" }`;

/** Receives the notifications for systemd. */
async function listenAsSystemd() {
  const socket = join(folder, 'notify');
  const child = spawn('perl', ['-e', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  child.stdout.on('data', (text) => (heard += text));
  await until(async () => heard.includes('bound'));
  return { socket, heard: () => heard.split('\n'), close: () => child.kill() };
}

/** The values of a key of a unit, in order. */
function valuesOf(unit: string, key: string): string[] {
  return [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

describe('the systemd unit', () => {
  const unit = read('systemd/svc.service');

  /** Writes the unit as it would be installed, and returns its path. */
  function install(name: string, dropIn: string | null): string {
    const file = join(folder, name, 'svc.service');
    mkdirSync(join(dirname(file), 'svc.service.d'), { recursive: true });
    // The path of the program on this machine.
    writeFileSync(file, unit.replaceAll('/usr/local/bin/svc', BIN));
    if (dropIn !== null) {
      writeFileSync(join(dirname(file), 'svc.service.d', 'agents-user.conf'), read(dropIn));
    }
    return file;
  }

  // proves: deploy.unit
  it.each([
    ['alone', null, '28'],
    ['for agents.user', 'systemd/agents-user.conf', '45'],
  ])('%s is valid, and has a low exposure', async (name, dropIn, threshold) => {
    const file = install(name, dropIn);
    const verified = await run('systemd-analyze', ['verify', file]);
    expect(verified.stderr + verified.stdout).toBe('');
    // Exit code 1 means above the threshold, which is in tenths.
    const judged = ['security', '--offline=true', `--threshold=${threshold}`, '--no-pager', file];
    const { stdout } = await run('systemd-analyze', judged);
    expect(stdout).toMatch(/Overall exposure level for svc\.service: [0-4]\.\d/);
  });

  // proves: deploy.unit.sandbox
  it('restricts nothing that sandboxes need, and delegates its control group', () => {
    const units = [unit, read('systemd/agents-user.conf')];
    const preventing = ['RestrictNamespaces', 'ProtectKernelTunables', 'ProtectControlGroups'];
    for (const key of [...preventing, 'ProcSubset']) {
      expect([key, units.flatMap((one) => valuesOf(one, key))]).toEqual([key, []]);
    }
    for (const one of units) {
      expect(valuesOf(one, 'SystemCallFilter').at(-1)).toMatch(
        /^mount umount2 pivot_root (?:capset )?seccomp$/,
      );
    }
    expect(valuesOf(unit, 'Delegate')).toEqual(['memory pids']);
  });

  it('allows Node to compile at run time', () => {
    expect(valuesOf(unit, 'MemoryDenyWriteExecute')).toEqual([]);
  });

  // proves: deploy.unit.command, deploy.unit.notify
  it('starts with its command and environment, as an unprivileged user, and notifies systemd', async () => {
    const state = join(folder, 'state');
    const env = Object.fromEntries(
      valuesOf(unit, 'Environment')
        .flatMap((line) => line.split(' '))
        .map((pair) => pair.replaceAll('/var/lib/svc', state).split('=') as [string, string]),
    );
    mkdirSync(state, { mode: 0o700 });
    await run('chown', ['65534:65534', state]);
    const command = valuesOf(unit, 'ExecStart')[0]?.split(' ').slice(1) ?? [];
    const port = await freePort();
    const systemd = await listenAsSystemd();
    const notified = { NOTIFY_SOCKET: systemd.socket, WATCHDOG_USEC: '3000000' };
    const child = spawn(
      'setpriv',
      [
        ...['--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'],
        ...['--bounding-set=-all', '--inh-caps=-all', process.execPath, BIN, ...command],
      ],
      {
        cwd: state,
        env: { ...env, ...notified, PATH: process.env['PATH'] ?? '', SVC_PORT: String(port) },
      },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    try {
      const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok);
      await until(async () => systemd.heard().includes('READY=1') || child.exitCode !== null);
      expect(await ready()).toBe(true);
      expect({ said, exit: child.exitCode }).toMatchObject({ exit: null });
      const fired = await fetch(
        `http://127.0.0.1:${port}/api/projects/hello/triggers/heartbeat/run`,
        { method: 'POST' },
      );
      const { runId } = (await fired.json()) as { runId: string };
      const run = () =>
        fetch(`http://127.0.0.1:${port}/api/runs/${runId}`).then((answer) => answer.json());
      const ended = await until(async () => {
        const one = (await run()) as { outcome: string | null };
        return one.outcome === null ? undefined : one;
      });
      expect(ended).toMatchObject({ outcome: 'succeeded' });
      const beats = () => systemd.heard().filter((line) => line === 'WATCHDOG=1').length;
      // One client uses all connections of an address; the first watchdog notification may have been sent before.
      const wires = Array.from({ length: HTTP_LIMITS.connectionsPerAddress }, () =>
        openWire(`http://127.0.0.1:${port}`),
      );
      await openWire(`http://127.0.0.1:${port}`).closed;
      const before = beats();
      await until(async () => beats() > before + 1);
      for (const wire of wires) wire.end();
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
      systemd.close();
    }
    expect(child.exitCode).toBe(0);
    expect(systemd.heard()).toContain('STOPPING=1');
  });
});

/** The command that checks the health of a container. */
const healthOf = (file: string): string[] =>
  JSON.parse(/HEALTHCHECK(?:.|\n)*?CMD (\[.*\])$/m.exec(file)?.[1] ?? '[]') as string[];

/** The text that a shell runs to check the health of svc. */
const shellCheckOf = ({ services }: Compose): string => services['svc']?.healthcheck?.test[1] ?? '';

describe('the container', () => {
  const file = read('Containerfile');

  // proves: deploy.container
  it('has a valid file, an unprivileged user, a volume and a health check', () => {
    expect(validate(file)).toEqual([]);
    const last = file.slice(file.lastIndexOf('\nFROM '));
    expect(file.match(/^FROM /gm)).toHaveLength(2);
    expect(last).toMatch(/^USER svc$/m);
    expect(last).toMatch(/apt-get install .* bubblewrap /);
    expect(last).toMatch(/^VOLUME \["\/home\/svc\/home"\]$/m);
    expect(last).toMatch(/^HEALTHCHECK (.|\n)*\/readyz/m);
    expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "svc"\]$/m);
    expect(last).not.toMatch(/claude|codex|openai/i);
  });

  // proves: deploy.container.health
  it('is healthy by its own check when svc is ready, and unhealthy when no server answers', async () => {
    const [, ...check] = healthOf(file);
    const healthy = (port: string) =>
      run(process.execPath, check, { env: { SVC_PORT: port } }).then(
        () => true,
        () => false,
      );
    await withHome(async (home) => {
      const { url } = await home.serve();
      expect(await healthy(new URL(url).port)).toBe(true);
    });
    expect(await healthy(String(await freePort()))).toBe(false);
  });

  // proves: deploy.compose
  it('is composed of valid files, with settings that take effect', async () => {
    const alone = parse(read('compose/compose.yaml')) as Compose;
    const added = parse(read('compose/compose.postgres.yaml')) as Compose;
    expect(alone.services['svc']).toMatchObject({
      ports: ['127.0.0.1:7420:7420'],
      read_only: true,
      cap_drop: ['ALL'],
      environment: { TZ: expect.anything() },
    });
    const health = [...healthOf(file)];
    // podman-compose 1.0 joins the words of a list wrongly, so each check is one text for a shell.
    for (const { services } of [alone, added]) {
      for (const { healthcheck } of Object.values(services)) {
        if (healthcheck === undefined) continue;
        expect(healthcheck.test).toEqual(['CMD-SHELL', expect.any(String)]);
      }
    }
    const words = await run('sh', ['-c', `set -- ${shellCheckOf(alone)}; printf '%s\\n' "$@"`]);
    expect(words.stdout.trim().split('\n')).toEqual(health);
    const { settings: defaults } = resolveSettings({ flags: {}, env: {}, file: null }) as {
      readonly settings: { readonly server: { readonly drainTimeoutMs: number } };
    };
    const stopMs = 1000 * Number.parseInt(alone.services['svc']?.stop_grace_period ?? '', 10);
    expect(stopMs).toBeGreaterThan(defaults.server.drainTimeoutMs);
    for (const { services, volumes } of [alone, added]) {
      const named = Object.values(services)
        .flatMap(({ volumes: all = [] }) => all)
        .map((volume) => volume.split(':')[0] ?? '')
        .filter((volume) => !volume.startsWith('.'));
      expect(Object.keys(volumes).sort()).toEqual([...new Set(named)].sort());
    }
    const settings = resolveSettings({ flags: {}, env: {}, file: read('compose/svc.config.yaml') });
    expect(settings).toMatchObject({ ok: true, warnings: [] });
  });
});

describe('the compose file for sandboxes', () => {
  // proves: deploy.compose.sandbox
  it('adds a profile that allows what a sandbox calls, and otherwise what is allowed by default', () => {
    const added = parse(read('compose/compose.sandbox.yaml')) as Compose;
    expect(Object.keys(added.services)).toEqual(['svc']);
    expect(added.services['svc']).toEqual({
      security_opt: ['seccomp=./seccomp.json', 'apparmor=unconfined', 'systempaths=unconfined'],
    });
    const profile = JSON.parse(read('compose/seccomp.json')) as SeccompProfile;
    const allowed = new Set(
      profile.syscalls
        .filter(({ action, includes, args }) => {
          const isConditional = Object.keys(includes ?? {}).length > 0 || (args ?? []).length > 0;
          return action === 'SCMP_ACT_ALLOW' && !isConditional;
        })
        .flatMap(({ names }) => names),
    );
    const needed = [
      'clone',
      'unshare',
      'setns',
      'mount',
      'umount2',
      'pivot_root',
      'capset',
      'seccomp',
    ];
    expect(needed.filter((name) => !allowed.has(name))).toEqual([]);
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    const others = ['bpf', 'kexec_load', 'init_module', 'io_uring_setup', 'userfaultfd'];
    expect(others.filter((name) => allowed.has(name))).toEqual([]);
  });
});

describe('secret files', () => {
  // proves: deploy.secrets
  it('next to the compose files are neither committed nor part of an image', async () => {
    const files = ['svc.env', 'database.env', '.env'].map((name) => `deploy/compose/${name}`);
    const { stdout } = await run('git', ['check-ignore', ...files], { cwd: join(DEPLOY, '..') });
    expect(stdout.trim().split('\n')).toEqual(files);
    expect(read('../.dockerignore').split('\n')).toContain('**/*.env');
  });
});

interface ComposeService {
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface SeccompProfile {
  readonly defaultAction: string;
  readonly syscalls: readonly {
    readonly names: readonly string[];
    readonly action: string;
    readonly includes?: object;
    readonly args?: readonly object[] | null;
  }[];
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

describe('the proxy', () => {
  // proves: deploy.proxy
  it('forwards /mcp and the well-known paths with the address of the client, and nothing else', () =>
    withHome(async (home) => {
      home.write(
        'svc.config.yaml',
        `managementApi:
  publicUrl: https://svc.example.com
  authorizationServers: [https://id.example.com]
  clients: { ci: { auth: { ref: env:CI } } }
`,
      );
      const server = await home.serve({ CI: 'x'.repeat(30) });
      const port = await freePort();
      const stop = await startNginx(new URL(server.url).port, port);
      try {
        const initialize = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/list',
          params: {},
        };
        const right = { Authorization: `Bearer ${'x'.repeat(30)}` };
        const asked = await ask(port, 'POST', '/mcp', right, JSON.stringify(initialize));
        expect([asked.status, asked.body]).toEqual([200, expect.stringContaining('list_projects')]);
        expect((await ask(port, 'POST', '/mcp', {}, '{}')).status).toBe(401);
        const known = await ask(port, 'GET', '/.well-known/oauth-protected-resource', {});
        expect(known.status).toBe(200);
        for (const path of [
          '/',
          '/api/projects',
          '/metrics',
          '/mcp/..%2fapi/projects',
          '/api/../mcp/x',
        ]) {
          expect([path, (await ask(port, 'GET', path, {})).status]).toEqual([path, 404]);
        }
        // What clients claim about themselves is ignored.
        const lying = { ...right, 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '127.0.0.1' };
        expect((await ask(port, 'POST', '/mcp', lying, JSON.stringify(initialize))).status).toBe(
          200,
        );
      } finally {
        await stop();
      }
    }));
});

async function startNginx(svcPort: string, port: number): Promise<() => Promise<void>> {
  const tls = join(folder, 'tls');
  mkdirSync(tls, { recursive: true });
  const subject = ['-subj', '/CN=svc.example.com', '-days', '2'];
  const pair = ['-keyout', join(tls, 'svc.key'), '-out', join(tls, 'svc.pem')];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...pair, ...subject]);
  const own = read('proxy/nginx.conf')
    .replaceAll('/etc/nginx/tls', tls)
    .replaceAll('127.0.0.1:7420', `127.0.0.1:${svcPort}`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
    .replace('listen [::]:443 ssl;', '');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr warn;
events {}
http { access_log off; ${paths}
${own}
}`,
  );
  await run('/usr/sbin/nginx', ['-t', '-q', '-c', file]);
  const child = spawn('/usr/sbin/nginx', ['-c', file], { stdio: 'ignore' });
  await until(() =>
    ask(port, 'GET', '/', {}).then(
      () => true,
      () => false,
    ),
  );
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
}

interface Answered {
  readonly status: number | undefined;
  readonly body: string;
}

function ask(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answered> {
  const own = {
    Host: 'svc.example.com',
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'MCP-Protocol-Version': '2025-11-25',
  };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, rejectUnauthorized: false };
    const outgoing = request({ ...options, headers: { ...own, ...headers } }, (incoming) => {
      let said = '';
      incoming.on('data', (chunk) => (said += chunk));
      incoming.on('end', () => resolve({ status: incoming.statusCode, body: said }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
