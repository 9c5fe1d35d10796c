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
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import type { KnownFolder } from '@svc/store';
import { watchFolder } from '../src/folder-watch.ts';
import { claimProjectsFolder } from '../src/projects-folder-marker.ts';
import { until, withHome } from './harness.ts';

let place: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'svc-mark-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const folder = (name: string): string => {
  const path = join(place, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const markOf = (path: string) => readFileSync(join(path, '.svc-folder'), 'utf8');

/** The state of one database, for any number of servers. */
function createDatabase() {
  let known: KnownFolder | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    projectsFolder: {
      read: async () => known,
      async choose(id: string) {
        known ??= { id, path: null };
      },
      async seen(path: string) {
        if (known !== null && known.path === null) known = { ...known, path };
      },
    },
    locks: {
      async take() {
        const before = last;
        let release = (): void => {};
        last = new Promise((resolve) => {
          release = resolve;
        });
        await before;
        return { isHeld: true, release: async () => release() };
      },
    },
  };
}

const claim = (store: ReturnType<typeof createDatabase>, path: string) =>
  claimProjectsFolder({ logger: createMemoryLogger(), store }, path);

describe('the projects folder of a database', () => {
  // proves: nodes.one-folder
  it('is marked once by servers that start together, and belongs to their database from then on', async () => {
    const database = createDatabase();
    const projects = folder('projects');
    const ids = await Promise.all([1, 2, 3, 4].map(() => claim(database, projects)));
    expect(new Set(ids).size).toBe(1);
    expect(markOf(projects).startsWith(`${ids[0]}\n`)).toBe(true);
    expect(readdirSync(projects)).toEqual(['.svc-folder']);
    expect(await claim(database, projects)).toBe(ids[0]);
  });

  // proves: nodes.one-folder
  it('is only the marked folder, not an empty one or that of another database, until it is marked', async () => {
    const database = createDatabase();
    const [projects, empty] = [folder('projects'), folder('empty')];
    const id = await claim(database, projects);
    const refused = claim(database, empty);
    await expect(refused).rejects.toMatchObject({ code: 'other_folder' });
    await expect(refused).rejects.toThrow(
      `The database belongs to another projects folder: ${empty} does not have its marker`,
    );
    await expect(refused).rejects.toThrow(`originally ${projects}`);
    await expect(refused).rejects.toThrow(`run: echo ${id} > ${empty}/.svc-folder`);
    expect(readdirSync(empty)).toEqual([]);
    writeFileSync(join(empty, '.svc-folder'), `${newId()}\n`);
    await expect(claim(database, empty)).rejects.toThrow('has the marker of another database');
    writeFileSync(join(empty, '.svc-folder'), '');
    await expect(claim(database, empty)).rejects.toThrow('has the marker of another database');
    writeFileSync(join(empty, '.svc-folder'), `${id}\n`);
    expect(await claim(database, empty)).toBe(id);
  });

  // proves: nodes.one-folder
  it('is not the marked folder of a database without a mark, until the mark is removed', async () => {
    const projects = folder('projects');
    await claim(createDatabase(), projects);
    const other = createDatabase();
    const refused = claim(other, projects);
    await expect(refused).rejects.toMatchObject({ code: 'other_folder' });
    await expect(refused).rejects.toThrow(
      `The projects folder ${projects} belongs to another database: it has the file`,
    );
    rmSync(join(projects, '.svc-folder'));
    expect(await claim(other, projects)).toEqual(expect.any(String));
  });

  it('is marked by the next start after a server was killed before marking it', async () => {
    const database = createDatabase();
    const projects = folder('projects');
    const id = newId();
    await database.projectsFolder.choose(id);
    writeFileSync(join(projects, '.svc-folder.new'), 'half');
    expect(await claim(database, projects)).toBe(id);
    expect(readdirSync(projects)).toEqual(['.svc-folder']);
  });

  it('is not claimed when the mark cannot be written', async () => {
    const database = createDatabase();
    const projects = folder('projects');
    mkdirSync(join(projects, '.svc-folder.new'));
    await expect(claim(database, projects)).rejects.toMatchObject({ code: 'other_folder' });
    expect(await database.projectsFolder.read()).toMatchObject({ path: null });
  });
});

describe('the projects folder while svc runs', () => {
  const watching = async () => {
    const projects = folder('projects');
    const id = (await claim(createDatabase(), projects)) ?? '';
    const clock = createFakeClock('2026-03-01T00:00:00.000Z');
    const logger = createMemoryLogger();
    const watch = await watchFolder({ clock, logger }, projects, id);
    const messages = () => logger.lines.map(({ message }) => message);
    /** The reason why the folder is unusable, after another check. */
    const later = async (expected: (fault: string | null) => boolean) => {
      await clock.advance(5000);
      watch.fault();
      await until(async () => expected(watch.fault()));
      return watch.fault();
    };
    return { projects, id, messages, later, watch };
  };

  // proves: nodes.folder-lost
  it('gets its mark back when the mark is removed', async () => {
    const { projects, id, messages, later } = await watching();
    rmSync(join(projects, '.svc-folder'));
    expect(await later(() => messages().length > 0)).toBeNull();
    expect(markOf(projects).startsWith(id)).toBe(true);
    expect(messages()).toEqual(['marker file of the projects folder restored']);
  });

  // proves: nodes.folder-lost
  it('is lost when another folder takes its place, and found when that is gone', async () => {
    const { projects, id, messages, later } = await watching();
    renameSync(projects, join(place, 'away'));
    folder('projects');
    expect(await later((fault) => fault !== null)).toContain('was replaced or is not mounted');
    expect(readdirSync(projects)).toEqual([]);
    writeFileSync(join(projects, '.svc-folder'), newId());
    expect(await later((fault) => fault?.includes('another database') ?? false)).toContain(
      projects,
    );
    rmSync(projects, { recursive: true });
    renameSync(join(place, 'away'), projects);
    expect(await later((fault) => fault === null)).toBeNull();
    expect(markOf(projects).startsWith(id)).toBe(true);
    const lost = 'projects folder lost';
    expect(messages()).toEqual([lost, lost, 'projects folder available again']);
  });
});

const PROJECT = `triggers:
  it:
    enabled: true
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "Say hello.\\n\\n\`\`\`bash\\necho hello\\n\`\`\`" }
`;

describe('a home with the embedded database', () => {
  // proves: nodes.not-alone
  it('stops firing when servers with a shared database use its projects folder', () =>
    withHome(async ({ home, write, serve }) => {
      write('projects/demo/project.yaml', PROJECT);
      const server = await serve();
      write('projects/.svc-folder', `${newId()}\n`);
      await until(async () => (await server.get('/readyz')).status === 503);
      expect((await server.get('/readyz')).body).toMatchObject({
        reason: expect.stringContaining(
          `${home}/projects now belongs to a PostgreSQL database, and this svc uses none`,
        ),
      });
    }));

  it('is refused by svc init when it was used with a shared database', () =>
    withHome(async ({ home, write, run }) => {
      write('data/node.json', '{}');
      expect(await run('init')).toMatchObject({
        code: 1,
        error: `svc: ${home} is already a home. Nothing was changed.\n`,
      });
      expect(readdirSync(home)).toEqual(['data']);
    }));

  // proves: nodes.not-alone
  it.each([
    [['serve', '--port', '0']],
    [['serve', '--init', '--port', '0']],
    [['pause']],
    [['fire', 'demo', 'it']],
    [['why', 'demo', 'it']],
  ])('does nothing at %j when its projects folder is shared by servers', (args) =>
    withHome(async ({ home, write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT);
      write('projects/.svc-folder', `${newId()}\n`);
      const { code, error } = await run(...args);
      expect(code).toBe(1);
      expect(error).toContain(
        `The projects folder ${home}/projects belongs to a PostgreSQL database`,
      );
      expect(error).toContain('database.url in svc.config.yaml, or SVC_DATABASE_URL');
      expect(error).toContain(`remove ${home}/projects/.svc-folder.`);
      expect(existsSync(join(home, 'data/svc.db'))).toBe(false);
      rmSync(join(home, 'projects/.svc-folder'));
      const server = await serve();
      expect((await server.get('/api/projects')).status).toBe(200);
    }),
  );

  // proves: nodes.not-alone
  it.each([
    [['serve', '--port', '0']],
    [['serve', '--init', '--port', '0']],
    [['pause']],
    [['fire', 'demo', 'it']],
  ])('names at %j the database that it was used with', (args) =>
    withHome(async ({ home, write, run }) => {
      const used = { database: 'postgres://svc:***@db:5432/svc', projects: '/mnt/projects' };
      write('data/node.json', JSON.stringify({ id: newId(), ...used }));
      const { code, error } = await run(...args);
      expect(code).toBe(1);
      expect(error).toContain(
        `The home ${home} was last used with the database ${used.database} and the projects in ${used.projects}, and no database is configured now`,
      );
      expect(error).toContain(
        'set database.url in svc.config.yaml, or SVC_DATABASE_URL, and projects.dir, or SVC_PROJECTS_DIR.',
      );
      expect(error).toContain(`remove ${home}/data/node.json.`);
      expect(readdirSync(home)).toEqual(['data']);
      expect(await run('status')).toMatchObject({
        code: 1,
        error: 'svc: No server is running for this home. Start one with svc serve.\n',
      });
      expect((await run('validate')).error).toContain(
        `It was last used with the projects in ${used.projects}: set projects.dir`,
      );
    }),
  );

  // proves: cli.any-shell
  it('keeps its project files in the last used folder, and has no backup without its database', () =>
    withHome(async ({ home, write, read, run }) => {
      const projects = join(home, 'shared');
      write('shared/demo/project.yaml', 'name: Shared\n');
      write('projects/demo/project.yaml', 'name: Old\nkeeper: 7\n');
      write('crontab', '5 4 * * * echo\n');
      const used = { database: 'postgres://svc:***@db:5432/svc', projects };
      write('data/node.json', JSON.stringify({ id: newId(), ...used }));
      expect(await run('validate')).toMatchObject({ code: 0 });
      const imported = ['crontab', join(home, 'crontab'), '--project', 'demo'];
      expect(await run('import', ...imported)).toMatchObject({ code: 0 });
      expect(read('shared/demo/project.yaml')).toContain('5 4 * * *');
      expect(read('projects/demo/project.yaml')).toBe('name: Old\nkeeper: 7\n');
      const { code, error } = await run('backup', join(home, 'b.tar.gz'));
      expect([code, error]).toEqual([
        1,
        expect.stringContaining('was last used with the database'),
      ]);
    }));

  it('reports an unreadable mark, and respects it all the same', () =>
    withHome(async ({ write, home, run }) => {
      write('projects/.svc-folder/odd', '');
      const { code, error } = await run('pause');
      expect([code, error]).toEqual([
        1,
        `svc: The file ${home}/projects/.svc-folder cannot be read. Cause: EISDIR.\n`,
      ]);
    }));

  it('does not treat the mark as a project, and does not report it', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', PROJECT);
      write('projects/.svc-folder', `${newId()}\n`);
      expect((await run('validate')).out).toBe('1 file checked: 0 errors, 0 warnings.\n');
    }));
});
