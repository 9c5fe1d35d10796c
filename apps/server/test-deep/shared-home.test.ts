import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { openHome, runCommand, until, withHome } from '../test/harness.ts';
import {
  type Database,
  makeDatabase,
  type Postgres,
  startPostgres,
  withPassword,
} from './postgres.ts';

jest.setTimeout(120_000);

const PROJECT = `triggers:
  it:
    enabled: true
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\necho done\\n\`\`\`", tools: [Bash] }
`;

let postgres: Postgres;
let database: Database;
let shared: string;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());
beforeEach(async () => {
  database = await makeDatabase(postgres.url);
  shared = mkdtempSync(join(tmpdir(), 'svc-shared-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(shared, { recursive: true, force: true });
});

const folder = (name: string): string => {
  const path = join(shared, name);
  mkdirSync(join(path, 'demo'), { recursive: true });
  writeFileSync(join(path, 'demo/project.yaml'), PROJECT);
  return path;
};
const envOf = (projects: string) => ({
  SVC_DATABASE_URL: database.url,
  SVC_PROJECTS_DIR: projects,
});

describe('servers with one database', () => {
  // proves: nodes.one-folder
  it('start together on one folder, and are refused on another one', async () => {
    const projects = folder('projects');
    const homes = [openHome(), openHome(), openHome()];
    try {
      const servers = await Promise.all(homes.map((home) => home.serve(envOf(projects))));
      const mark = readFileSync(join(projects, '.svc-folder'), 'utf8').split('\n')[0];
      expect((await servers[0]?.get('/api/nodes'))?.body).toMatchObject({
        nodes: [{}, {}, {}],
      });
      expect((await servers[0]?.get('/api/projects'))?.body).toMatchObject({
        projects: [{ slug: 'demo' }],
      });
      const other = folder('other');
      const serve = () =>
        runCommand(['serve', '--home', join(shared, 'home'), '--port', '0'], envOf(other));
      mkdirSync(join(shared, 'home'));
      const refused = await serve();
      expect(refused).toMatchObject({
        code: 1,
        error: expect.stringContaining(`another projects folder: ${other}`),
      });
      expect(refused.error).toContain(`echo ${mark} > ${other}/.svc-folder`);
      // It does not stay a member of the cluster.
      expect((await servers[0]?.get('/api/nodes'))?.body).toMatchObject({ nodes: [{}, {}, {}] });
    } finally {
      for (const home of homes) await home.close();
    }
  });
});

describe('servers with different settings', () => {
  // proves: nodes.not-alike
  it('report the differences in the log and in the status', () =>
    withHome(async (first) =>
      withHome(async (second) => {
        const env = envOf(folder('projects'));
        second.write('svc.config.yaml', 'limits: { minInterval: 5s }\n');
        const server = await first.serve(env);
        await second.serve({ ...env, TZ: 'Europe/Berlin' });
        const output = await until(async () => {
          const { out } = await first.run('status');
          return out.includes('differs between servers') && out;
        });
        const [zone, limit] = output.split('\n').slice(-3);
        const each = (one: string, other: string) =>
          new RegExp(` differs between servers: ${one} on \\S+ \\(.*\\); ${other} on `);
        expect(zone).toMatch(each('UTC', 'Europe/Berlin'));
        expect(limit).toMatch(each('1s', '5s'));
        await until(async () =>
          server.lines.some(({ msg }) => msg === 'settings differ between servers'),
        );
      }),
    ));
});

describe('a server whose projects folder is replaced', () => {
  // proves: nodes.folder-lost
  it('is not ready, with a reason, until the folder is back', () =>
    withHome(async ({ serve }) => {
      const projects = folder('projects');
      const server = await serve(envOf(projects));
      renameSync(projects, join(shared, 'away'));
      mkdirSync(projects);
      await until(async () => (await server.get('/readyz')).status === 503);
      expect((await server.get('/readyz')).body).toMatchObject({
        reason: expect.stringContaining('was replaced or is not mounted'),
      });
      rmSync(projects, { recursive: true });
      renameSync(join(shared, 'away'), projects);
      await until(async () => (await server.get('/readyz')).status === 200);
      expect(server.lines).toContainEqual(
        expect.objectContaining({ level: 50, msg: 'projects folder lost', projects }),
      );
    }));
});

describe('commands in a shell without the variables of the server', () => {
  // proves: nodes.not-alone, cli.any-shell, nodes.place-shown
  it('use the server while it runs, and are refused otherwise', () =>
    withHome(async ({ home, serve, run }) => {
      const projects = folder('projects');
      const url = withPassword(database.url, 'secret-of-the-database');
      const server = await serve({ ...envOf(projects), SVC_DATABASE_URL: url });
      rmSync(join(home, 'projects'), { recursive: true });
      const status = await run('status');
      expect([status.code, status.error]).toEqual([0, '']);
      const { answeredBy: id } = (await server.get('/api/status')).body as { answeredBy: string };
      expect(status.out).toContain(id);
      const shown = withPassword(database.url, '***');
      expect(status.out.split('\n').slice(1, 3)).toEqual([
        `Database: ${shown}`,
        `Projects: ${projects}`,
      ]);
      expect(server.lines).toContainEqual(
        expect.objectContaining({ msg: 'listening', database: shown, projects, node: id }),
      );
      const doctor = await run('doctor');
      expect(doctor.out).toContain(`database: on a server (${shown})`);
      expect(doctor.out).toContain(`projects: ${projects}\n`);
      expect(await run('pause')).toMatchObject({ code: 0 });
      expect((await server.get('/api/status')).body).toMatchObject({ paused: { by: 'user' } });
      expect(await run('resume')).toMatchObject({ code: 0 });
      expect(await run('why', 'demo', 'it')).toMatchObject({ code: 0 });
      expect(await run('fire', 'demo', 'it', '--wait')).toMatchObject({ code: 0 });
      await server.stop();
      for (const file of readdirSync(join(home, 'data'))) {
        if (!file.includes('.')) continue;
        expect(readFileSync(join(home, 'data', file), 'utf8')).not.toContain('secret-of-the');
      }
      for (const args of [['pause'], ['why', 'demo', 'it'], ['serve', '--init', '--port', '0']]) {
        const refused = await run(...args);
        expect(refused.code).toBe(1);
        expect(refused.error).toContain(`was last used with the database ${shown}`);
        expect(refused.error).toContain(`and the projects in ${projects}`);
      }
      expect(existsSync(join(home, 'projects'))).toBe(false);
      expect(existsSync(join(home, 'data/svc.db'))).toBe(false);
    }));
});
