import type { CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Stands for a value that each call gives. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A statement without its values. */
type Prepared<V, R> = (db: Kysely<Tables>, values: V) => Promise<readonly R[]>;

/**
 * A statement whose text is made once for each kind of database: making it takes longer than running it. `build` is given
 * what stands for the values of a call, and may put it wherever a value may stand; it must not look at it.
 */
export function prepared<V extends object, R>(
  build: (db: Kysely<Tables>, given: V) => CompiledQuery<R>,
): Prepared<V, R> {
  const texts = new WeakMap<object, CompiledQuery<R>>();
  const given = new Proxy({} as V, { get: (_, name) => new Place(String(name)) });
  const textFor = (db: Kysely<Tables>): CompiledQuery<R> => {
    const { adapter } = db.getExecutor();
    const known = texts.get(adapter);
    if (known !== undefined) return known;
    const made = build(db, given);
    texts.set(adapter, made);
    return made;
  };
  return async (db, values) => {
    const text = textFor(db);
    const parameters = text.parameters.map((each) =>
      each instanceof Place ? (values[each.name as keyof V] ?? null) : each,
    );
    const { rows } = await db.executeQuery<R>({ ...text, parameters });
    return rows;
  };
}

/** The only row of an answer; `of` says in the error what has none. */
export function only<R>(rows: readonly R[], of: string): R {
  const [row] = rows;
  if (row === undefined) throw new Error(`The database has lost ${of}.`);
  return row;
}
