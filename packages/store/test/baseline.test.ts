import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { silentLogger } from '@svc/core';
import { Kysely } from 'kysely';
import { migrate } from '../src/database/migrations.ts';
import type { Tables } from '../src/database/schema.ts';
import { EMBEDDED_STEPS } from '../src/sqlite/embedded-steps.ts';
import { openSqlite } from '../src/sqlite/sqlite.ts';
import { withFile, withFileStore } from './harness.ts';

type Rows = readonly Record<string, unknown>[];

/** Tables with their columns and keys, and indexes, whatever way they were made. */
function schemaOf(db: InstanceType<typeof DatabaseSync>) {
  const all = (text: string, ...values: string[]) => db.prepare(text).all(...values) as Rows;
  const shape: Record<string, unknown> = {};
  for (const { type, name, sql } of all(
    `select type, name, sql from sqlite_schema where sql is not null and name not like 'kysely%'`,
  )) {
    const text = String(sql).toLowerCase().replace(/\s+/g, ' ').replace(/ \(/g, '(');
    if (type !== 'table') {
      shape[`${type} ${name}`] = text;
      continue;
    }
    const columns = all('select * from pragma_table_info(?)', String(name)).map((column) =>
      [column['name'], column['type'], column['notnull'], column['dflt_value'], column['pk']]
        .join(' ')
        .toLowerCase(),
    );
    const unique = all(
      `select group_concat(info.name) as columns from pragma_index_list(?) as list,
        pragma_index_info(list.name) as info where list.origin <> 'c' group by list.name`,
      String(name),
    ).map(({ columns: of }) => of);
    shape[`table ${name}`] = {
      columns: columns.sort(),
      unique: unique.sort(),
      isByKey: text.endsWith('without rowid'),
    };
  }
  return shape;
}

const nobody = { failed() {}, noticed() {} };

describe('a schema that is made at once', () => {
  it('is the one that older databases come to step by step', () =>
    withFile(async (file) => {
      const db = new Kysely<Tables>({ dialect: openSqlite(file, nobody).dialect });
      await migrate(db, silentLogger, EMBEDDED_STEPS);
      await db.destroy();
      const stepwise = new DatabaseSync(file);
      const shape = schemaOf(stepwise);
      const steps = stepsOf(stepwise);
      stepwise.close();
      await withFileStore(async (store, made) => {
        await store.close();
        const atOnce = new DatabaseSync(made);
        expect(schemaOf(atOnce)).toEqual(shape);
        expect(stepsOf(atOnce)).toEqual(steps);
        atOnce.close();
      });
    }));
});

function stepsOf(db: InstanceType<typeof DatabaseSync>): unknown[] {
  const rows = db.prepare('select name from kysely_migration order by name').all() as Rows;
  return rows.map(({ name }) => name);
}
