import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { openStore } from '@svc/store';
import { type Dialect, Kysely, sql } from 'kysely';
import { EMBEDDED_STEPS, SERVER_STEPS } from '../src/database/baseline.ts';
import { schemaWordsOf } from '../src/database/dialect.ts';
import { migrate, type Steps } from '../src/database/migrations.ts';
import type { Tables } from '../src/database/schema.ts';
import { openServer } from '../src/postgres/postgres.ts';
import { openSqlite } from '../src/sqlite/sqlite.ts';
import { type Place, withFile, withUrl } from '../test/database.ts';
import { T0 } from '../test/harness.ts';

const NEXT: Steps = {
  '999_next': {
    async up(db: Kysely<unknown>): Promise<void> {
      const { text, integer, numbered } = schemaWordsOf(db);
      const statements = [
        `alter table instance add column extra ${text}`,
        `create table further(nr ${numbered}, id ${text} not null unique, count ${integer} not null)`,
      ];
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  },
};

async function stepOn(place: Place, dialectOf: () => Dialect, earlier: Steps) {
  const store = await openStore({ clock: createFakeClock(T0) }, { ...place, version: '1' });
  await store.close();
  const db = new Kysely<Tables>({ dialect: dialectOf() });
  for (const _time of [1, 2]) await migrate(db, silentLogger, { ...earlier, ...NEXT });
  const added = await sql<{ nr: number; count: number }>`
    insert into further(id, count) values('a', ${2 ** 40}) returning nr, count`.execute(db);
  const kept = await sql<{ value: string }>`
    select value from instance where key = 'id' and extra is null`.execute(db);
  await db.destroy();
  expect(added.rows).toEqual([{ nr: 1, count: 2 ** 40 }]);
  expect(kept.rows).toEqual([{ value: store.id }]);
}

describe('the next step of the schema', () => {
  const observer = { failed() {}, noticed() {} };

  it('is written once, and done to embedded databases and to those on servers', async () => {
    await withFile((file) =>
      stepOn({ file }, () => openSqlite(file, observer).dialect, EMBEDDED_STEPS),
    );
    await withUrl((url) =>
      stepOn({ url }, () => openServer(url, observer, createFakeClock(T0)).dialect, SERVER_STEPS),
    );
  });
});

const RENAMED_BACK = [
  'alter table run drop column sandbox',
  'alter table run drop column network',
  'alter table arming_cache rename to kept_arming',
  'create table kept_file(project text primary key)',
  'alter table message_ref rename to said',
  'alter table alert_state rename column notified_at to told_at',
  'alter table alert_state rename to alert_told',
  'alter table run rename column notified to told',
  'alter table node rename column evicted_by to buried_by',
  `delete from kysely_migration where name >= '022_plain_names'`,
];

describe('a step that renames what earlier versions use', () => {
  it('waits for servers of an earlier version to stop', () =>
    withUrl(async (url) => {
      const earlier = await openStore({ clock: createFakeClock(T0) }, { url, version: '1' });
      await earlier.spans.begin(T0);
      const db = new Kysely<Tables>({
        dialect: openServer(url, { failed() {} }, createFakeClock(T0)).dialect,
      });
      for (const statement of RENAMED_BACK) await sql.raw(statement).execute(db);
      const beat = (seconds: number) =>
        sql`update node set heartbeat_at = to_char(
          (clock_timestamp() - make_interval(secs => ${seconds})) at time zone 'utc',
          'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`.execute(db);

      await beat(5);
      await expect(migrate(db, silentLogger, SERVER_STEPS)).rejects.toMatchObject({
        code: 'in_use',
        message: expect.stringContaining(earlier.nodeId),
      });
      await sql`select 1 from said`.execute(db);

      await beat(61);
      await migrate(db, silentLogger, SERVER_STEPS);
      await sql`select 1 from message_ref`.execute(db);
      await db.destroy();
      await earlier.close();
    }));
});
