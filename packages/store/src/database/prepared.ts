import {
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type QueryExecutor,
  type RootOperationNode,
  ValueNode,
} from 'kysely';
import type { Tables } from './schema.ts';

/** Placeholder for a value of each call, or of one of the items of a statement. */
class Place {
  readonly row: number;
  readonly name: string;

  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

// SQLite prepares a statement again for each call if a bound value decides which index applies, so constants are
// written into the text.
class Constants extends OperationNodeTransformer implements KyselyPlugin {
  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  async transformResult<R>({ result }: { readonly result: R }): Promise<R> {
    return result;
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return node.value instanceof Place ? node : ValueNode.createImmediate(node.value);
  }
}

const constants = new Constants();

/** A statement without its values. */
type Prepared<V, R> = (db: Kysely<Tables>, values: V) => Promise<readonly R[]>;

/**
 * A statement whose text is built once per kind of database, because building takes longer than running. `build`
 * receives placeholders for the values of a call; it may put them wherever a value is allowed, but must not inspect
 * them.
 */
export function prepared<V extends object, R>(
  build: (db: Kysely<Tables>, given: V) => CompiledQuery<R>,
): Prepared<V, R> {
  const run = preparedRows<V, R>((db, [given]) => build(db, given as V));
  return (db, values) => run(db, [values]);
}

// A text is built for each number of items up to this one.
const MOST_AT_ONCE = 8;

/**
 * The same for a statement about any number of items. For many items it runs several times, and the results are
 * concatenated in order.
 */
export function preparedRows<V extends object, R>(
  build: (db: Kysely<Tables>, given: readonly V[]) => CompiledQuery<R>,
): Prepared<readonly V[], R> {
  const texts = new WeakMap<object, CompiledQuery<R>[]>();
  const textFor = (db: Kysely<Tables>, count: number): CompiledQuery<R> => {
    const { adapter } = db.getExecutor();
    const all = texts.get(adapter) ?? [];
    const known = all[count];
    if (known !== undefined) return known;
    const made = build(db.withPlugin(constants), Array.from({ length: count }, placesOf<V>));
    all[count] = made;
    texts.set(adapter, all);
    return made;
  };
  const runOnce = async (db: Kysely<Tables>, values: readonly V[]): Promise<R[]> => {
    const text = textFor(db, values.length);
    const parameters = text.parameters.map((each) =>
      each instanceof Place ? (values[each.row]?.[each.name as keyof V] ?? null) : each,
    );
    const query = { ...text, parameters };
    const { rows } = db.isTransaction
      ? await (await connectionOf(db)).executeQuery<R>(query)
      : await db.executeQuery<R>(query);
    return rows;
  };
  return async (db, values) => {
    const rows: R[] = [];
    for (let from = 0; from < values.length; from += MOST_AT_ONCE) {
      rows.push(...(await runOnce(db, values.slice(from, from + MOST_AT_ONCE))));
    }
    return rows;
  };
}

const connections = new WeakMap<QueryExecutor, DatabaseConnection>();

// A transaction keeps one connection, and requesting it takes longer than many statements. The connection runs one
// statement after the other.
function connectionOf(
  transaction: Kysely<Tables>,
): DatabaseConnection | Promise<DatabaseConnection> {
  const executor = transaction.getExecutor();
  const known = connections.get(executor);
  if (known !== undefined) return known;
  return executor.provideConnection(async (connection) => {
    connections.set(executor, connection);
    return connection;
  });
}

function placesOf<V extends object>(_: unknown, row: number): V {
  return new Proxy({} as V, { get: (_, name) => new Place(row, String(name)) });
}

/** The only row of a result; the error names what is missing as `of`. */
export function only<R>(rows: readonly R[], of: string): R {
  const [row] = rows;
  if (row === undefined) throw new Error(`The database lost ${of}.`);
  return row;
}
