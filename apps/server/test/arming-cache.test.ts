import { rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { stringify } from 'yaml';
import { type Running, type TestHome, until, withHome } from './harness.ts';

jest.setTimeout(120_000);

const FILE = 'projects/demo/project.yaml';

const daily = (hour: number, run: object = { prompt: 'Look around.' }) => ({
  trigger: { type: 'schedule', cron: `0 ${hour} 1 1 *` },
  run,
  enabled: true,
});

const nextFires = async (server: Running): Promise<Record<string, string | null>> => {
  const { body } = await server.get('/api/projects/demo/triggers/runtime');
  const { runtime } = body as { runtime: { name: string; nextFire: string | null }[] };
  return Object.fromEntries(
    runtime.map(({ name, nextFire }) => [name, nextFire?.slice(4) ?? null]),
  );
};

const logged = ({ lines }: Running, text: string) => lines.filter(({ msg }) => msg === text);
const AS_BEFORE = 'triggers armed from cache';

/** Starts and stops a server; returns its log. */
async function life(home: TestHome, look = async (_server: Running) => {}): Promise<Running> {
  const server = await home.serve();
  await look(server);
  await server.stop();
  return server;
}

/** Waits until the file is old enough for its time and size to be trusted. */
async function settled(home: TestHome): Promise<void> {
  const { ctimeMs } = statSync(join(home.home, FILE));
  await until(async () => Date.now() - ctimeMs > 3100);
}

function changeCache(home: TestHome, statement: string): void {
  const db = new DatabaseSync(join(home.home, 'data/svc.db'));
  db.exec(statement);
  db.close();
}

// proves: scale.kept
it('a start arms unchanged projects without reading their files', () =>
  withHome(async (home) => {
    home.write(FILE, stringify({ triggers: { a: daily(3), b: daily(4) } }));
    home.write('projects/other/project.yaml', stringify({ triggers: { c: daily(5) } }));
    expect(logged(await life(home), AS_BEFORE)).toEqual([]);
    const again = await life(home, async (server) => {
      expect(await nextFires(server)).toEqual({
        a: '-01-01T03:00:00.000Z',
        b: '-01-01T04:00:00.000Z',
      });
    });
    expect(logged(again, AS_BEFORE)).toMatchObject([{ projects: 2, triggers: 3 }]);
    expect(logged(again, 'triggers armed')).toEqual([]);
  }));

// proves: scale.kept.content
it('a file edited while the service was down is read, even with the same time and size', () =>
  withHome(async (home) => {
    home.write(FILE, stringify({ triggers: { a: daily(3) } }));
    const file = join(home.home, FILE);
    await settled(home);
    await life(home);
    expect(logged(await life(home), AS_BEFORE)).toHaveLength(1);
    const { atimeMs, mtimeMs } = statSync(file);
    home.write(FILE, stringify({ triggers: { a: daily(7) } }));
    utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    const edited = await life(home, async (server) => {
      expect(await nextFires(server)).toEqual({ a: '-01-01T07:00:00.000Z' });
    });
    expect(logged(edited, AS_BEFORE)).toEqual([]);
  }));

it('a file that was only touched counts as unchanged', () =>
  withHome(async (home) => {
    home.write(FILE, stringify({ triggers: { a: daily(3) } }));
    await settled(home);
    await life(home);
    utimesSync(join(home.home, FILE), 1, 1);
    expect(logged(await life(home), AS_BEFORE)).toHaveLength(1);
  }));

// proves: scale.kept.droppable
it.each([
  ['is missing', 'delete from arming_cache'],
  ['is not JSON', `update arming_cache set body = 'x'`],
  ['has another shape', `update arming_cache set body = '{"triggers":{}}'`],
  ['was written by another program', `update arming_cache set maker = 'x'`],
  ['does not match the armed schedules', 'update trigger_state set schedule_hash = null'],
  [
    'was written while the clock was ahead',
    `update trigger_state set cursor = '2999-01-01T00:00:00.000Z'`,
  ],
])('a start without a usable cache arms the same triggers: it %s', (_what, statement) =>
  withHome(async (home) => {
    home.write(FILE, stringify({ triggers: { a: daily(3) } }));
    await life(home);
    changeCache(home, statement);
    const again = await life(home, async (server) => {
      expect(await nextFires(server)).toEqual({ a: '-01-01T03:00:00.000Z' });
    });
    expect(logged(again, AS_BEFORE)).toEqual([]);
    expect(logged(await life(home), AS_BEFORE)).toHaveLength(1);
  }),
);

it('warnings about a file are logged at each start, also that a prompt file is missing', () =>
  withHome(async (home) => {
    const { enabled: _, ...odd } = daily(3);
    const a = daily(4, { promptFile: 'a.md' });
    home.write(FILE, stringify({ triggers: { odd, a } }));
    home.write('projects/demo/.svc/triggers/a.md', 'Look around.');
    const ODDITIES = 'warnings in project.yaml';
    const first = await life(home);
    const second = await life(home);
    const same = logged(first, ODDITIES).map(({ warnings }) => warnings);
    expect(same).toHaveLength(1);
    expect(logged(second, AS_BEFORE)).toHaveLength(1);
    expect(logged(second, ODDITIES).map(({ warnings }) => warnings)).toEqual(same);
    rmSync(join(home.home, 'projects/demo/.svc/triggers/a.md'));
    const [third] = logged(await life(home), ODDITIES);
    expect(JSON.stringify(third)).toContain('names .svc/triggers/a.md');
  }));
