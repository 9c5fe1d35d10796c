import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { examineFile } from '@svc/store';
import { extract, pack } from 'tar-stream';
import { BIN, type OpenHome, openHome, type Running, withHome } from './harness.ts';
import { svc } from './in-process.ts';

jest.setTimeout(60_000);

const SECRET = 'a-secret-that-no-backup-may-have';
const CONFIG = `envFile: secrets.env
auth: { mode: token, tokenRef: "env:ACCESS" }
`;
const PROJECT = `name: Demo
triggers:
  works:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\necho done\\n\`\`\`", tools: [Bash] }
    enabled: true
keeper: { runtime: native }
`;

let home: OpenHome;
let server: Running;
let folder: string;
let file: string;
let token: string;

beforeAll(async () => {
  home = openHome();
  home.write('svc.config.yaml', CONFIG);
  home.write('secrets.env', `ACCESS=${SECRET}\n`);
  chmodSync(join(home.home, 'secrets.env'), 0o600);
  home.write('projects/demo/project.yaml', PROJECT);
  home.write('projects/demo/.svc/triggers/deep/works.md', 'Do it.\n');
  home.write('projects/demo/README.md', 'Not this one.\n');
  symlinkSync('/etc/hostname', join(home.home, 'projects/demo/.svc/link'));
  home.write('runtimes/claude/session.json', SECRET);
  server = await home.serve();
  token = await signIn();
  await svc(['fire', 'demo', 'works', '--wait', '--home', home.home]);
  file = join(mkdtempSync(join(tmpdir(), 'svc-backup-')), 'b.tar.gz');
  await svc(['backup', file, '--home', home.home]);
});
afterAll(async () => {
  await home.close();
  rmSync(join(file, '..'), { recursive: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-restore-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function signIn(): Promise<string> {
  const answer = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ token: SECRET }),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The files of an archive, by name. */
async function unpacked(archive: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const reading = extract();
  reading.end(gunzipSync(readFileSync(archive)));
  for await (const entry of reading) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    files.set(entry.header.name, Buffer.concat(chunks));
  }
  return files;
}

/** An archive with these files instead. */
async function packed(
  files: Iterable<readonly [string, Buffer | { link: string }]>,
): Promise<string> {
  const archive = pack();
  for (const [name, content] of files) {
    if (Buffer.isBuffer(content)) archive.entry({ name }, content);
    else archive.entry({ name, type: 'symlink', linkname: content.link });
  }
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  const made = join(folder, 'made.tar.gz');
  writeFileSync(made, gzipSync(Buffer.concat(chunks)));
  return made;
}

const restored = (from: string, ...more: string[]) =>
  svc(['restore', from, '--home', join(folder, 'home'), ...more]);

/** Restores with the program itself. */
async function run(from: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [BIN, 'restore', from, '--home', join(folder, 'home')], {
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let error = '';
  child.stderr.on('data', (chunk) => {
    error += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, error };
}

async function expectRefused(archive: string): Promise<void> {
  const { code, error } = await run(archive);
  expect([code, error]).toEqual([1, expect.stringContaining('is not an svc backup')]);
}

/** A header of a tar archive with this text as its size. */
function headerOf(name: string, size: string, type: string): Buffer {
  const header = Buffer.alloc(512);
  const fields: [number, string][] = [
    ...([
      [0, name],
      [100, '0000600'],
      [108, '0000000'],
      [116, '0000000'],
    ] as const),
    ...([
      [124, size],
      [136, '00000000000'],
      [148, '        '],
      [156, type],
    ] as const),
    [257, 'ustar\x0000'],
  ].map(([at, text]) => [at as number, text as string]);
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** The parts that a user must restore separately. */
function addSecrets(to: string): void {
  writeFileSync(join(to, 'secrets.env'), `ACCESS=${SECRET}\n`, { mode: 0o600 });
}

describe('svc backup', () => {
  // proves: backup.taken
  it('archives what is needed and lists what it leaves out', async () => {
    const made = join(folder, 'again.tar.gz');
    const { code, out } = await svc(['backup', made, '--home', home.home]);
    expect(code).toBe(0);
    expect([...(await unpacked(made)).keys()]).toEqual([
      'svc.config.yaml',
      'projects/demo/project.yaml',
      'projects/demo/.svc/triggers/deep/works.md',
      'data/last-good/demo.yaml',
      'data/svc.db',
      'manifest.json',
    ]);
    expect(out).toContain('svc.config.yaml, and project.yaml and .svc/ of 1 project.');
    expect(out).toContain('Not included: other project files, secrets, login sessions');
    expect(out).toContain(
      'the variables in secrets.env; the value of ACCESS separately; you need them after a restore.',
    );
    expect(out).toContain('Not included (a link): projects/demo/.svc/link');
    expect(statSync(made).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['again.tar.gz']);
  });

  it('contains no secret, and reports the same as JSON', async () => {
    const made = join(folder, 'json.tar.gz');
    const { out } = await svc(['backup', made, '--home', home.home, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      ...{ file: made, bytes: statSync(made).size, database: 'file', files: 5, projects: 1 },
      ...{ variables: ['ACCESS'], schema: expect.stringMatching(/^0\d\d_/) },
    });
    const files = await unpacked(made);
    for (const content of files.values()) expect(content.includes(SECRET)).toBe(false);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    const leftOut = [{ path: 'projects/demo/.svc/link', reason: 'link' }];
    expect(manifest).toMatchObject({ format: 1, svc: '0.1.0', database: 'file', leftOut });
    expect(JSON.parse(out)).toMatchObject({
      ...{ leftOut, passedOver: [join(home.home, 'projects/demo/.svc/link')] },
    });
  });

  // proves: backup.file
  it('overwrites no existing file without --force', async () => {
    const made = join(folder, 'there.tar.gz');
    writeFileSync(made, 'mine');
    const refused = await svc(['backup', made, '--home', home.home]);
    expect([refused.code, readFileSync(made, 'utf8')]).toEqual([1, 'mine']);
    expect((await svc(['backup', made, '--home', home.home, '--force'])).code).toBe(0);
    expect((await restored(made)).code).toBe(0);
    rmSync(join(folder, 'home'), { recursive: true });
    const lost = await svc(['backup', join(folder, 'no', 'b'), '--home', home.home]);
    expect(lost.error).toBe(`svc: The folder ${join(folder, 'no')} does not exist.`);
    expect(readdirSync(folder)).toEqual(['there.tar.gz']);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const given = ['backup', join(folder, 'b.tar.gz'), '--home', home.home];
    const { code, error } = await svc(given, { stop: Promise.resolve() });
    expect([code, error]).toEqual([1, 'svc: Stopped. Nothing was written.']);
    expect(readdirSync(folder)).toEqual([]);
  });

  // proves: backup.links
  it('follows no link in a project, respects its limits, and lists what it left out', () =>
    withHome(async (other) => {
      const at = (path: string) => join(other.home, 'projects', path);
      other.write('data/instance-secret', SECRET);
      for (const slug of ['a', 'b', 'c', 'd', 'e'])
        other.write(`projects/${slug}/project.yaml`, '');
      symlinkSync('../../data', at('a/.svc'));
      symlinkSync('/proc/self', at('b/.svc'));
      other.write('projects/c/.svc', 'no folder');
      for (const path of ['d/.svc/deep/inner', 'd/.svc/link'])
        mkdirSync(at(path), { recursive: true });
      symlinkSync('../../../../../data', at('d/.svc/deep/inner/out'));
      symlinkSync('../../a/project.yaml', at('d/.svc/link/file.md'));
      writeFileSync(at('d/.svc/line\nbreak'), '');
      writeFileSync(at('d/.svc/huge'), '');
      const long = ['e', 'f', 'g', 'h', 'i'].map((letter) => letter.repeat(220));
      mkdirSync(at(`d/.svc/${long.join('/')}`), { recursive: true });
      truncateSync(at('d/.svc/huge'), 3 * 1024 ** 3);
      writeFileSync(at('d/.svc/large'), Buffer.alloc(3 * 1024 ** 2, 'large '));
      rmSync(at('e/project.yaml'));
      symlinkSync('../a/project.yaml', at('e/project.yaml'));
      const made = join(folder, 'links.tar.gz');
      const { code, out } = await svc(['backup', made, '--home', other.home, '--json']);
      const leftOut = [
        { path: 'projects/a/.svc', reason: 'link' },
        { path: 'projects/b/.svc', reason: 'link' },
        { path: 'projects/c/.svc', reason: 'special' },
        { path: 'projects/d/.svc/deep/inner/out', reason: 'link' },
        { path: `projects/d/.svc/${long.join('/')}`, reason: 'too_long' },
        { path: 'projects/d/.svc/huge', reason: 'too_large' },
        { path: 'projects/d/.svc/line\nbreak', reason: 'name' },
        { path: 'projects/d/.svc/link/file.md', reason: 'link' },
        { path: 'projects/e/project.yaml', reason: 'link' },
      ];
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ leftOut, projects: 4 });
      const files = await unpacked(made);
      expect([...files.keys()].filter((path) => path.includes('.svc/'))).toEqual([
        'projects/d/.svc/large',
      ]);
      expect(JSON.parse(String(files.get('manifest.json'))).leftOut).toEqual(leftOut);
      for (const content of files.values()) expect(content.includes(SECRET)).toBe(false);
      expect(readdirSync(folder)).toEqual(['links.tar.gz']);
      const again = await restored(made);
      expect(again.out).toContain('Not included (a link): projects/a/.svc');
      const large = readFileSync(join(folder, 'home/projects/d/.svc/large'));
      expect(large.equals(readFileSync(at('d/.svc/large')))).toBe(true);
    }));

  // proves: backup.own
  it('lists no more variables of a project than its manifest has room for', () =>
    withHome(async (other) => {
      const references = Array.from({ length: 80_000 }, (_, n) => `env:A${n}\n`).join('');
      other.write('projects/a/project.yaml', '');
      other.write('projects/a/.svc/references.yaml', references);
      const made = join(folder, 'variables.tar.gz');
      expect((await svc(['backup', made, '--home', other.home])).code).toBe(0);
      const manifest = JSON.parse(String((await unpacked(made)).get('manifest.json')));
      expect(manifest.variables.length).toBeGreaterThan(30_000);
      expect(manifest.variables.length).toBeLessThan(50_000);
    }));

  it('includes the database of a running server only through the server', async () => {
    const headers = [{}, { cookie: token }, { authorization: `Bearer ${SECRET}` }];
    for (const header of headers) {
      const answer = await fetch(`${server.url}/backup/database`, { headers: header });
      expect(answer.status).toBe(403);
    }
    expect(token).toMatch(/^svc/);
  });

  // proves: backup.stopped
  it('includes the database of a stopped home, also from another version', () =>
    withHome(async (other) => {
      other.write('projects/demo/project.yaml', PROJECT);
      mkdirSync(join(other.home, 'data'));
      const old = new URL('../../../packages/store/test/version-018.sql', import.meta.url);
      const db = new DatabaseSync(join(other.home, 'data/svc.db'));
      db.exec(readFileSync(old, 'utf8'));
      db.close();
      const made = join(folder, 'old.tar.gz');
      const { out } = await svc(['backup', made, '--home', other.home, '--json']);
      expect(JSON.parse(out)).toMatchObject({ schema: '018_gone_nodes' });
      expect(examineFile(join(other.home, 'data/svc.db')).schema).toBe('018_gone_nodes');
      expect((await restored(made)).code).toBe(0);
      const { out: runs } = await svc(['runs', '--home', join(folder, 'home'), '--json']);
      expect((JSON.parse(runs) as { runs: unknown[] }).runs).toHaveLength(2);
    }));

  // proves: backup.server
  it('explains how to back up a shared database', () =>
    withHome(async (other) => {
      other.write('projects/demo/project.yaml', PROJECT);
      other.write('svc.config.yaml', 'database: { url: "postgres://u:hunter2@127.0.0.1:1/x" }\n');
      const made = join(folder, 'pg.tar.gz');
      const { code, out } = await svc(['backup', made, '--home', other.home]);
      expect([code, out]).toEqual([0, expect.stringContaining('Back it up with pg_dump.')]);
      expect(out).toContain(
        'svc.config.yaml contains the password of database.url, and so does this file.',
      );
      expect(out).not.toContain('hunter2');
      const { out: said } = await restored(made);
      expect(said).toContain('Restore it with pg_restore');
      expect(existsSync(join(folder, 'home/data/svc.db'))).toBe(false);
      // Without the setting, it must not treat the home as one with an embedded database.
      writeFileSync(join(folder, 'home/svc.config.yaml'), '');
      const { error } = await svc(['pause', '--home', join(folder, 'home')]);
      expect(error).toContain('was last used with a database on a server');
    }));
});

describe('svc restore', () => {
  // proves: restore.paused, backup.no-sign-ins
  it('creates a paused home with the runs and without sign-in sessions', async () => {
    const { code, out } = await restored(file);
    expect(code).toBe(0);
    expect(out).toContain('All triggers are paused until svc resume');
    expect(out).toContain('Files that svc needs to start: secrets.env (mode 600).');
    expect(out).toContain('Environment variables that the configuration needs: ACCESS.');
    const there = join(folder, 'home');
    expect(readFileSync(join(there, 'projects/demo/project.yaml'), 'utf8')).toBe(PROJECT);
    expect(existsSync(join(there, 'projects/demo/README.md'))).toBe(false);
    expect(existsSync(join(there, '.svc-restore'))).toBe(false);
    expect(statSync(join(there, 'data')).mode & 0o777).toBe(0o700);
    const db = new DatabaseSync(join(there, 'data/svc.db'));
    expect(db.prepare('select count(*) as count from session').get()).toEqual({ count: 0 });
    const pause = db.prepare(`select value from instance where key = 'paused'`).get();
    expect(JSON.parse(String(pause?.['value'])).reason).toMatch(/^Restored from a backup of 20/);
    db.close();
    addSecrets(there);
    const { out: runs } = await svc(['runs', '--home', there, '--json']);
    const [run] = (JSON.parse(runs) as { runs: { outcome: string }[] }).runs;
    expect(run?.outcome).toBe('succeeded');
  });

  it('starts all triggers again on request', async () => {
    const { out } = await restored(file, '--resume', '--json');
    expect(JSON.parse(out)).toMatchObject({ paused: false, projects: 1, database: 'file' });
    const db = new DatabaseSync(join(folder, 'home/data/svc.db'));
    expect(db.prepare(`select value from instance where key = 'paused'`).get()).toBeUndefined();
    db.close();
  });

  // proves: restore.empty
  it('restores into a home with the same projects and no data, and changes none of their files', async () => {
    const there = join(folder, 'home');
    mkdirSync(join(there, 'projects/demo'), { recursive: true });
    writeFileSync(join(there, 'projects/demo/project.yaml'), 'name: Mine\n');
    const differing = await restored(file);
    expect([differing.code, readdirSync(there)]).toEqual([1, ['projects']]);
    expect(differing.error).toContain(
      `differ from the backup: ${there}/projects/demo/project.yaml. Move them`,
    );
    writeFileSync(join(there, 'projects/demo/project.yaml'), PROJECT);
    writeFileSync(join(there, 'projects/demo/notes.md'), 'Mine.\n');
    expect((await restored(file)).code).toBe(0);
    expect(readFileSync(join(there, 'projects/demo/notes.md'), 'utf8')).toBe('Mine.\n');
    const again = await restored(file);
    expect(again.error).toMatch(/has a folder "data": .* Nothing was changed\.$/);
  });

  it('refuses a folder with other content, and requires a target', async () => {
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home/thesis.txt'), 'Mine.\n');
    expect((await restored(file)).error).toContain('is not empty and not a home of svc.');
    expect(await svc(['restore', file])).toMatchObject({ code: 2 });
  });

  it('refuses a home that is a link to nothing, and creates nothing there', async () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'home'));
    const { code, error } = await restored(file);
    expect([code, error]).toEqual([
      1,
      expect.stringContaining('is a file, or a link that leads to no folder'),
    ]);
    expect(readdirSync(folder)).toEqual(['home']);
  });

  // proves: restore.verified
  it('refuses archives that are damaged, truncated or newer, before it writes anything', async () => {
    const files = await unpacked(file);
    const whole = [...files];
    const with_ = (name: string, text: string) =>
      packed(new Map([...files, [name, Buffer.from(text)]]));
    const manifest = JSON.parse(String(files.get('manifest.json')));
    const short = join(folder, 'short.tar.gz');
    writeFileSync(short, readFileSync(file).subarray(0, 4000));
    const cases: [string, RegExp][] = [
      [
        await with_('svc.config.yaml', 'a: 1\n'),
        /is damaged: svc\.config\.yaml does not match its checksum/,
      ],
    ];
    for (const [archive, words] of cases) expect((await restored(archive)).error).toMatch(words);
    expect((await restored(short)).error).toMatch(/is not an svc backup, or it is damaged\.$/);
    const cut = await packed(whole.slice(0, -1));
    expect((await restored(cut)).error).toMatch(/is incomplete: it was truncated\.$/);
    const less = await packed(whole.filter(([name]) => name !== 'data/svc.db'));
    expect((await restored(less)).error).toMatch(/is damaged: data\/svc\.db is missing\.$/);
    const newer = await with_(
      'manifest.json',
      JSON.stringify({ ...manifest, format: 2, svc: '9.0' }),
    );
    expect((await restored(newer)).error).toMatch(
      /a newer version of svc \(svc 9\.0\)\. Restore it with/,
    );
    expect((await restored(join(folder, 'none'))).error).toBe(
      `svc: ${folder}/none does not exist.`,
    );
    expect(existsSync(join(folder, 'home'))).toBe(false);
  });

  // proves: backup.upgrade.newer
  it('refuses a database of a newer version', async () => {
    expect((await restored(file)).code).toBe(0);
    const there = join(folder, 'home');
    const db = new DatabaseSync(join(there, 'data/svc.db'));
    db.exec(`insert into kysely_migration values('999_later', '2099-01-01')`);
    db.close();
    const made = join(folder, 'newer.tar.gz');
    expect((await svc(['backup', made, '--home', there])).code).toBe(0);
    rmSync(there, { recursive: true });
    const { error } = await restored(made);
    expect(error).toMatch(/was written by a newer version of svc \(0\.1\.0\)\. Restore it with/);
    expect(existsSync(there)).toBe(false);
  });

  // proves: doctor.newer
  it('has its database of a newer version reported by svc doctor', async () => {
    expect((await restored(file)).code).toBe(0);
    const there = join(folder, 'home');
    addSecrets(there);
    const db = new DatabaseSync(join(there, 'data/svc.db'));
    db.exec(`insert into kysely_migration values('999_later', '2099-01-01')`);
    db.close();
    const sentence = 'The database was written by a newer version of svc. Start that version,';
    const { code, out } = await svc(['doctor', '--home', there]);
    expect([code, out]).toEqual([1, expect.stringContaining(`next       ${sentence}`)]);
  });

  // proves: restore.inside
  it('writes nothing outside of the home', async () => {
    for (const name of [
      '../evil',
      '/tmp/evil',
      'projects/../../evil',
      'projects/x/y.md',
      'data/svc.db-wal',
    ]) {
      const archive = await packed([[name, Buffer.from('x')]]);
      expect((await restored(archive)).error).toMatch(/contains an unexpected file/);
    }
    const link = await packed([['projects/demo/.svc/out', { link: '/etc' }]]);
    expect((await restored(link)).error).toMatch(/is not an svc backup/);
    expect(readdirSync(folder)).toEqual(['made.tar.gz']);
    mkdirSync(join(folder, 'outside'));
    mkdirSync(join(folder, 'home/projects/demo'), { recursive: true });
    symlinkSync('../../../outside', join(folder, 'home/projects/demo/.svc'));
    expect((await restored(file)).error).toContain(
      'projects/demo/.svc/triggers/deep/works.md. Move',
    );
    expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  });

  it('refuses sizes that are no numbers, with an error and not with exit code 0', async () => {
    const stated = (size: string, type: string, content = '') => {
      const made = join(folder, 'made.tar.gz');
      const blocks = Buffer.alloc(Math.ceil(content.length / 512) * 512, content);
      const header = headerOf('projects/demo/.svc/a', size, type);
      writeFileSync(made, gzipSync(Buffer.concat([header, blocks.fill(0, content.length)])));
      return made;
    };
    const sizes = [
      '-0000000005',
      'zzzzzzzzzzz',
      '\x80\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f',
    ];
    for (const size of sizes) await expectRefused(stated(size, '0'));
    const pax = stated('00000000024', 'x', '20 size=notanumber12');
    const bytes = Buffer.concat([
      gunzipSync(readFileSync(pax)),
      headerOf('projects/demo/.svc/a', '00000000001', '0'),
    ]);
    writeFileSync(pax, gzipSync(Buffer.concat([bytes, Buffer.alloc(512, 'a')])));
    await expectRefused(pax);
    expect(readdirSync(folder)).toEqual(['made.tar.gz']);
  });

  it('holds no extended header of any size in memory', async () => {
    const bytes = 64 * 1024 * 1024;
    for (const type of ['x', 'g', 'L']) {
      const header = headerOf('a', bytes.toString(8).padStart(11, '0'), type);
      const rest = gunzipSync(readFileSync(file));
      const made = join(folder, 'made.tar.gz');
      writeFileSync(made, gzipSync(Buffer.concat([header, Buffer.alloc(bytes), rest])));
      expect((await restored(made)).error).toMatch(/is not an svc backup, or it is damaged\.$/);
    }
    expect(existsSync(join(folder, 'home'))).toBe(false);
  });

  it('refuses a manifest that is larger, or has more parts, than any backup needs', async () => {
    const files = [...(await unpacked(file))];
    const withManifest = (content: Buffer) =>
      packed(files.map(([name, own]) => [name, name === 'manifest.json' ? content : own] as const));
    const large = await withManifest(Buffer.alloc(64 * 1024 * 1024 + 1, ' '));
    expect((await restored(large)).error).toMatch(/manifest\.json of more than 64 MiB\. Nothing/);
    await expectRefused(await withManifest(Buffer.from(`[${'{},'.repeat(2_000_000)}{}]`)));
    await expectRefused(await withManifest(Buffer.from('['.repeat(1_000_000))));
    expect(existsSync(join(folder, 'home'))).toBe(false);
  });

  it('fails when it has nothing left to wait for', async () => {
    const stall = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.promises.mkdir = () => new Promise(() => {}); syncBuiltinESMExports();`;
    const options = `--import "data:text/javascript,${encodeURIComponent(stall)}"`;
    const ended = await run(file, { NODE_OPTIONS: options });
    expect(ended).toEqual({
      code: 1,
      error: expect.stringContaining('stopped before it was done'),
    });
  });

  // proves: restore.inside
  it('follows no link in the home', async () => {
    const [there, outside] = [join(folder, 'home'), join(folder, 'outside')];
    for (const path of [there, join(outside, 'kept')]) mkdirSync(path, { recursive: true });
    const staged = join(there, '.svc-restore');
    symlinkSync('../outside', staged);
    const refused = `svc: ${staged} is a link, not a folder of svc restore. Remove it and restore again. Nothing was changed.`;
    expect(await restored(file)).toMatchObject({ code: 1, error: refused });
    expect([readdirSync(there), readdirSync(outside)]).toEqual([['.svc-restore'], ['kept']]);
    rmSync(staged);
    writeFileSync(staged, 'Mine.\n');
    expect((await restored(file)).error).toContain(`${staged} is a file, not a folder`);
    rmSync(staged);
    await withHome(async (other) => {
      other.write('shared/in/demo/project.yaml', PROJECT);
      other.write('svc.config.yaml', 'projects: { dir: shared/in }\n');
      const made = join(folder, 'dir.tar.gz');
      expect((await svc(['backup', made, '--home', other.home])).code).toBe(0);
      mkdirSync(join(there, 'projects'));
      symlinkSync('../outside', join(there, 'shared'));
      expect((await restored(made)).error).toContain('shared/in/demo/project.yaml. Move them');
      expect(readdirSync(outside)).toEqual(['kept']);
    });
  });

  it('leaves a projects folder outside of the home alone', () =>
    withHome(async (other) => {
      const elsewhere = join(other.home, 'elsewhere');
      other.write('elsewhere/demo/project.yaml', PROJECT);
      other.write('home/svc.config.yaml', `projects: { dir: ${elsewhere} }\n`);
      const made = join(folder, 'dir.tar.gz');
      expect((await svc(['backup', made, '--home', join(other.home, 'home')])).code).toBe(0);
      const { out } = await restored(made);
      expect(out).toContain(`projects.dir is ${elsewhere}, outside the home`);
      expect(readdirSync(join(folder, 'home/projects'))).toEqual(['demo']);
    }));

  // proves: restore.half
  it('undoes an interrupted restore, and blocks the home after a killed one', async () => {
    const there = join(folder, 'home');
    const given = ['restore', file, '--home', there];
    const { error } = await svc(given, { stop: Promise.resolve() });
    expect([error, existsSync(there)]).toEqual(['svc: Stopped. Nothing was written.', false]);
    const ended = await signalOnceThere(given, join(there, '.svc-restore'), 'SIGTERM');
    expect([ended.code, ended.error]).toEqual([1, 'svc: Stopped. Nothing was written.\n']);
    expect(existsSync(there)).toBe(false);
    await signalOnceThere(given, join(there, '.svc-restore/data'), 'SIGKILL');
    for (const command of ['serve', 'status', 'doctor', 'init', 'validate']) {
      const used = await svc([command, ...(command === 'init' ? [there] : ['--home', there])]);
      expect(used.error).toContain(
        `A restore into ${there} has not finished. Run svc restore again`,
      );
    }
    expect((await svc(given, { stop: Promise.resolve() })).code).toBe(1);
    expect(readdirSync(there)).toContain('.svc-restore');
    mkdirSync(join(there, 'projects'));
    expect((await svc(['validate', '--home', there])).error).toContain('has not finished');
    expect((await svc(given)).code).toBe(0);
    expect(existsSync(join(there, '.svc-restore'))).toBe(false);
    addSecrets(there);
    // The state that a restore leaves when it is killed after its last step.
    mkdirSync(join(there, '.svc-restore'));
    expect((await svc(['runs', '--home', there])).code).toBe(0);
    expect(existsSync(join(there, '.svc-restore'))).toBe(false);
  });

  // proves: backup.links, restore.one
  it('restores all other files when the name of one is too long or in use', async () => {
    const deep = `${Array(41).fill('e'.repeat(99)).join('/')}/f.md`;
    const at = (path: string) => `projects/demo/.svc/${path}`;
    const files = await unpacked(file);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    const bad = [at(deep), at('n'.repeat(256)), at('triggers/deep/works.md/below')];
    const sha256 = createHash('sha256').update('x').digest('hex');
    const added = bad.map((path) => ({ path, bytes: 1, sha256 }));
    const stated = { ...manifest, files: [...manifest.files, ...added] };
    const made = await packed([
      ...[...files].slice(0, -1),
      ...bad.map((path) => [path, Buffer.from('x')] as const),
      ['manifest.json', Buffer.from(JSON.stringify(stated))],
    ]);
    const { code, out } = await restored(made, '--json');
    expect(code).toBe(0);
    const { leftOut } = JSON.parse(out) as { leftOut: unknown[] };
    expect(leftOut.slice(0, 3)).toEqual(bad.map((path) => ({ path, reason: 'name' })));
    const works = join(folder, 'home', at('triggers/deep/works.md'));
    expect(readFileSync(works, 'utf8')).toBe('Do it.\n');
    expect(readdirSync(join(folder, 'home', at('')))).toEqual(['triggers']);
  });

  // proves: restore.many
  // proves: restore.permissions
  it('restores permissions, so that settings stay private and scripts executable', () =>
    withHome(async (own) => {
      const modes = { 'svc.config.yaml': 0o600, 'projects/demo/.svc/check.sh': 0o750 };
      own.write('projects/demo/project.yaml', PROJECT);
      for (const [path, mode] of Object.entries(modes)) {
        own.write(path, '# A file\n');
        chmodSync(join(own.home, path), mode);
      }
      await (await own.serve()).stop();
      const archive = join(folder, 'modes.tar.gz');
      const target = join(folder, 'modes');
      expect(await svc(['backup', archive, '--home', own.home])).toMatchObject({ code: 0 });
      expect(await svc(['restore', archive, '--home', target])).toMatchObject({ code: 0 });
      for (const [path, mode] of Object.entries(modes)) {
        expect([path, statSync(join(target, path)).mode & 0o777]).toEqual([path, mode]);
      }
      expect(statSync(join(target, 'data/svc.db')).mode & 0o777).toBe(0o600);
    }));

  it('restores 2,000 files', () =>
    withHome(async (other) => {
      const prompts = Array.from({ length: 2_000 }, (_, n) => [`p${n}.md`, `Do ${n}.\n`] as const);
      other.write('projects/demo/project.yaml', PROJECT);
      for (const [name, text] of prompts) other.write(`projects/demo/.svc/triggers/${name}`, text);
      const made = join(folder, 'many.tar.gz');
      expect((await svc(['backup', made, '--home', other.home])).code).toBe(0);
      expect((await restored(made)).code).toBe(0);
      const triggers = join(folder, 'home/projects/demo/.svc/triggers');
      const texts = prompts.map(([name]) => [name, readFileSync(join(triggers, name), 'utf8')]);
      expect(texts).toEqual(prompts);
    }));
});

/** Runs a command in its own process, and sends it a signal as soon as this file exists. */
async function signalOnceThere(
  given: readonly string[],
  path: string,
  signal: NodeJS.Signals,
): Promise<{ readonly code: number | null; readonly error: string }> {
  const child = spawn(process.execPath, [BIN, ...given]);
  let error = '';
  child.stderr.on('data', (chunk) => (error += chunk));
  while (!existsSync(path) && child.exitCode === null) await setImmediate();
  child.kill(signal);
  const [code] = await once(child, 'close');
  return { code, error };
}
