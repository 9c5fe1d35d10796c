import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { makeFolder } from './packing.ts';

jest.setTimeout(600_000);

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const scripts = (root: string) => join(root, 'apps/server/scripts');

interface Ended {
  readonly code: number;
  readonly text: string;
}

/** Runs a script of a clone to its end. */
async function runScript(root: string, ...args: string[]): Promise<Ended> {
  const [script = '', ...rest] = args;
  const options = { cwd: root, maxBuffer: 2 ** 26 };
  return run(process.execPath, [join(scripts(root), script), ...rest], options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
  );
}

const json = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
const versionOf = (root: string, folder: string): string =>
  json(root, folder, 'package.json').version;
const foldersOf = (root: string): string[] => [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  'apps/server',
];

describe('a release, as a complete dry run', () => {
  const folder = makeFolder();
  const clone = join(folder.path, 'svc');
  const out = join(folder.path, 'release');
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=Release', '-c', 'user.email=release@example.org', ...args],
      {
        cwd: clone,
        encoding: 'utf8',
      },
    );
  let early: Ended;
  let versions: Ended;
  let published: Ended;
  beforeAll(async () => {
    await run('git', ['clone', '-q', ROOT, clone]);
    const pnpm = ['-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile'];
    await run('npx', [...pnpm, '--prefer-offline'], { cwd: clone, maxBuffer: 2 ** 26 });
    writeFileSync(
      join(clone, '.changeset/tried-out.md'),
      "---\n'@svc/core': minor\n'@svc/server': minor\n---\n\nA change that is tried out.\n",
    );
    early = await runScript(clone, 'release.mjs', 'publish');
    versions = await runScript(clone, 'release.mjs', 'version');
    git('add', '--all');
    git('commit', '-q', '-m', 'a release');
    published = await runScript(clone, 'release.mjs', 'publish', '--dry-run', '--out', out);
  });
  afterAll(() => folder.remove());

  it('is refused while changes have no version', () => {
    expect(early).toEqual({
      code: 1,
      text: 'release: Some changes have no version yet. Run release.mjs version first.\n',
    });
  });

  // proves: packages.release
  it('turns changesets into versions and changelogs, and stores a home of the new version', () => {
    expect(versions.text).toMatch(/^release: \d+ changes were added to versions and changelogs/m);
    expect(versions.code).toBe(0);
    expect(readdirSync(join(clone, '.changeset')).sort()).toEqual(['README.md', 'config.json']);
    const version = versionOf(clone, 'apps/server');
    expect(version).not.toBe(versionOf(ROOT, 'apps/server'));
    for (const name of ['packages/core', 'apps/server']) {
      const changelog = readFileSync(join(clone, name, 'CHANGELOG.md'), 'utf8');
      expect(changelog).toContain(`## ${versionOf(clone, name)}`);
      expect(changelog).toContain('A change that is tried out.');
    }
    const home = join(clone, 'apps/server/test/fixtures/released', version);
    expect(existsSync(join(home, 'database.sql'))).toBe(true);
    const printed = execFileSync(process.execPath, [
      join(clone, 'apps/server/bin/svc.js'),
      '--version',
    ]);
    expect(printed.toString().trim()).toBe(version);
  });

  it('leaves every file in the format that the checks require', async () => {
    const biome = ['-y', '--prefer-offline', 'pnpm@10.34.9', 'exec', 'biome', 'ci', '--colors=off'];
    const { stdout, stderr } = await run('npx', [...biome, '.'], {
      cwd: clone,
      maxBuffer: 2 ** 26,
    });
    expect(stdout + stderr).toMatch(/Checked \d+ files/);
    expect(git('status', '--porcelain')).toBe('');
  });

  // proves: packages.release
  it('packs each package once, and would publish exactly these files', () => {
    expect(published.text).toContain('release: nothing was published: it was a dry run.');
    expect(published.code).toBe(0);
    const names = foldersOf(clone).map((path) => json(clone, path, 'package.json'));
    const packed = readdirSync(out).filter((name) => name.endsWith('.tgz'));
    const file = (name: string) => name.replace('@', '').replace('/', '-');
    expect(packed.sort()).toEqual(
      names.map(({ name, version }) => `${file(name)}-${version}.tgz`).sort(),
    );
    const listed = [...published.text.matchAll(/^\+ (\S+)@(\S+)$/gm)].map(([, name, v]) => [
      name,
      v,
    ]);
    expect(listed.sort()).toEqual(names.map(({ name, version }) => [name, version]).sort());
    // A package is published after its own dependencies.
    const order = [...published.text.matchAll(/^\+ (@svc\/[a-z-]+)@/gm)].map(([, name]) => name);
    for (const { name, dependencies = {} } of names.filter((each) => each.name !== '@svc/server')) {
      for (const needed of Object.keys(dependencies).filter((each) => each.startsWith('@svc/'))) {
        expect([name, needed, order.indexOf(needed) < order.indexOf(name)]).toEqual([
          name,
          needed,
          true,
        ]);
      }
    }
  });

  // proves: packages.bill
  it('contains a hash of each file and a bill of materials of each package', async () => {
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const files = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
    expect(sums.map((line) => line.split('  ')[1]).sort()).toEqual(files.sort());
    for (const line of sums) {
      const [sum, name = ''] = line.split('  ');
      const bytes = readFileSync(join(out, name));
      expect([name, createHash('sha256').update(bytes).digest('hex')]).toEqual([name, sum]);
    }
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    const boms = files.filter((name) => name.endsWith('.cdx.json'));
    expect(boms).toHaveLength(foldersOf(clone).length);
    for (const name of boms) {
      expect([name, await validator.validate(readFileSync(join(out, name), 'utf8'))]).toEqual([
        name,
        null,
      ]);
    }
  });

  // proves: packages.bill
  it('lists the bundled libraries in the bill of the server, with the hashes of the lock file', () => {
    const version = versionOf(clone, 'apps/server');
    const { metadata, components } = json(out, `svc-server-${version}.cdx.json`);
    expect(metadata.component).toMatchObject({ name: '@svc/server', version, type: 'application' });
    const lock = readFileSync(join(clone, 'pnpm-lock.yaml'), 'utf8');
    const named = new Map<string, (typeof components)[number]>(
      components.map((each: { name: string }) => [each.name, each]),
    );
    for (const name of ['express', 'kysely', 'pino', 'pg', 'react']) {
      expect(named.get(name)).toMatchObject({
        properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
      });
    }
    expect(named.get('@photostructure/sqlite')).not.toHaveProperty('properties');
    for (const { hashes } of components) {
      const digest = Buffer.from(hashes[0].content, 'hex').toString('base64');
      expect(lock).toContain(`integrity: sha512-${digest}`);
    }
    const notices = readFileSync(join(clone, 'apps/server/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const held = components.filter((each: { properties?: unknown }) => each.properties);
    for (const { name, version: of } of held) expect(notices).toContain(`${name} ${of} (`);
  });
});

describe('the audit of shipped libraries', () => {
  const folder = makeFolder();
  const npmrc = join(folder.path, 'npmrc');
  afterAll(() => folder.remove());

  /** Runs the audit against a registry with the given answers; its requests are in `asked`. */
  async function auditWith(answer: RequestListener) {
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        asked.push([request.method, request.url, JSON.parse(Buffer.concat(chunks).toString())]);
        answer(request, response);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    mkdirSync(folder.path, { recursive: true });
    writeFileSync(npmrc, `registry=http://127.0.0.1:${port}/\n`);
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder.path },
      ...{ npm_config_userconfig: npmrc, npm_config_update_notifier: 'false' },
    };
    const ended = await run(process.execPath, [join(scripts(ROOT), 'audit.mjs')], {
      cwd: ROOT,
      env,
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stdout }) => ({ code, text: stdout }),
    );
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(npmrc);
    return { ...ended, asked };
  }

  it('asks the registry about every shipped library, and succeeds without known vulnerabilities', async () => {
    const { code, text, asked } = await auditWith((_, response) => response.end('{}'));
    expect(asked).toEqual([
      [
        'POST',
        '/-/npm/v1/security/advisories/bulk',
        expect.objectContaining({
          express: [expect.any(String)],
          react: [expect.any(String)],
          '@photostructure/sqlite': [expect.any(String)],
        }),
      ],
    ]);
    expect(text).toMatch(/^audit: no known vulnerabilities in \d+ libraries\n$/);
    expect(code).toBe(0);
  });

  // proves: packages.audit
  it('fails with known vulnerabilities', async () => {
    const advisory = {
      title: 'It opens doors',
      severity: 'high',
      url: 'https://advisories.example/1',
      vulnerable_versions: '<99',
    };
    const { code, text } = await auditWith((_, response) =>
      response.end(JSON.stringify({ express: [advisory] })),
    );
    expect(text).toMatch(
      /^audit: express \S+: high: It opens doors \(<99\) https:\/\/advisories\.example\/1\n$/,
    );
    expect(code).toBe(1);
  });

  // proves: packages.audit
  it.each([
    ['does not offer it', 405, ''],
    ['answers with a page', 200, '<html>'],
    ['answers with a list', 200, '[]'],
  ])('reports that nothing was checked when the registry %s', async (_, status, body) => {
    const { code, text } = await auditWith((_request, response) => {
      response.writeHead(status).end(body);
    });
    expect(text).toMatch(/^audit: not checked: the registry /);
    expect(code).toBe(3);
  });
});
