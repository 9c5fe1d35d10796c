import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { createFakeClock } from '@svc/core/testing';
import { openStore } from '@svc/store';
import { oldDatabase, T0, withFile, withFileStore } from './harness.ts';

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

describe('the schema of a new database', () => {
  it('is the one that a database of 0.1.0 is migrated to', () =>
    withFile(async (file) => {
      (await oldDatabase(file)).close();
      await (await openStore({ clock: createFakeClock(T0) }, { file, version: '1' })).close();
      const migrated = new DatabaseSync(file);
      const shape = schemaOf(migrated);
      const steps = stepsOf(migrated);
      migrated.close();
      await withFileStore(async (store, made) => {
        await store.close();
        const created = new DatabaseSync(made);
        expect(schemaOf(created)).toEqual(shape);
        expect(stepsOf(created)).toEqual(steps);
        created.close();
      });
    }));
});

function stepsOf(db: InstanceType<typeof DatabaseSync>): unknown[] {
  const rows = db.prepare('select name from kysely_migration order by name').all() as Rows;
  return rows.map(({ name }) => name);
}
