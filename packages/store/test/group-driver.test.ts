import { expect, it } from '@jest/globals';
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { GroupDriver } from '../src/database/group-driver.ts';

const WRITE = CompiledQuery.raw('insert into it(n) values (1)');

/** A database that refuses every statement, also within a transaction, once `spoil` was called. */
function refusing() {
  let isSpoiled = false;
  let isTransaction = false;
  const statements = {
    get isTransaction() {
      return isTransaction;
    },
    run(text: string) {
      if (isSpoiled) throw new Error('It is damaged.');
      if (text === 'begin') isTransaction = true;
      if (text === 'commit' || text === 'rollback') isTransaction = false;
      return { rows: [] };
    },
    close() {},
  };
  const db = new Kysely<unknown>({
    dialect: {
      createDriver: () => new GroupDriver(statements),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    },
  });
  return {
    db,
    spoil() {
      isSpoiled = true;
    },
  };
}

// proves: scale.alone
it('a database that refuses even to roll back fails all pending calls, and closes', async () => {
  const { db, spoil } = refusing();
  const alone = db.executeQuery(WRITE);
  const inside = db.transaction().execute(async (tx) => {
    await tx.executeQuery(WRITE);
    spoil();
  });
  const later = Promise.resolve().then(() => db.executeQuery(WRITE));
  const ends = await Promise.allSettled([alone, inside, later]);
  expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
    Array.from({ length: 3 }, () => 'Error: It is damaged.'),
  );
  await expect(db.executeQuery(WRITE)).rejects.toThrow('It is damaged.');
  await db.destroy();
});
