import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { examineFile } from '@svc/store';
import { type TestHome, withHome } from './harness.ts';
import { svc } from './in-process.ts';

jest.setTimeout(60_000);

const RELEASED = new URL('fixtures/released/', import.meta.url).pathname;
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

interface Expected {
  readonly runs: readonly { readonly id: string; readonly outcome: string }[];
  readonly chats: readonly { readonly sessionId: string; readonly messageCount: number }[];
}

/** Recreates the home that a released version left behind. Returns the schema of its database. */
function lay({ home }: TestHome, release: string): string {
  const from = join(RELEASED, release);
  for (const path of ['svc.config.yaml', 'projects']) {
    cpSync(join(from, path), join(home, path), { recursive: true });
  }
  mkdirSync(join(home, 'data'));
  const file = join(home, 'data/svc.db');
  const db = new DatabaseSync(file);
  db.exec(readFileSync(join(from, 'database.sql'), 'utf8'));
  db.close();
  const { schema, fault } = examineFile(file);
  expect(fault).toBeNull();
  return schema;
}

const json = async (...given: string[]) => JSON.parse((await svc(given)).out);

describe('the home of each released version', () => {
  it('is stored here', () => {
    expect(existsSync(join(RELEASED, version, 'database.sql'))).toBe(true);
  });

  // proves: backup.upgrade.released
  it.each(readdirSync(RELEASED))('%s is served with all its content', (release) =>
    withHome(async (home) => {
      const schema = lay(home, release);
      const server = await home.serve();
      const { runs, chats } = JSON.parse(
        readFileSync(join(RELEASED, release, 'expected.json'), 'utf8'),
      ) as Expected;
      const at = ['--home', home.home, '--json'];
      const shown = (await json('runs', '--limit', '200', ...at)) as Expected;
      expect(shown.runs).toEqual(
        expect.arrayContaining(runs.map((run) => expect.objectContaining(run))),
      );
      const listed = (await json('chats', '--all', ...at)) as Expected;
      expect(listed.chats).toEqual(
        expect.arrayContaining(chats.map((chat) => expect.objectContaining(chat))),
      );
      const { triggers } = (await json('triggers', ...at)) as { triggers: { state: string }[] };
      expect(triggers.filter(({ state }) => state === 'invalid')).toEqual([]);
      expect(await svc(['fire', 'demo', 'works', '--wait', '--home', home.home])).toMatchObject({
        code: 0,
      });
      await server.stop();
      const now = examineFile(join(home.home, 'data/svc.db'));
      expect(now).toMatchObject({ fault: null, isNewer: false });
      const copies = readdirSync(join(home.home, 'data')).filter((name) =>
        name.includes('.before-'),
      );
      expect(copies).toEqual(schema === now.schema ? [] : [`svc.db.before-${now.schema}`]);
    }),
  );
});
