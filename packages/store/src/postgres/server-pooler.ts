/** A connection to a database, or to what stands before it. */
export interface Session {
  /** The process of the server that was announced when the connection started; null where none was. */
  readonly announced: number | null;
  /** Runs a statement and returns the process of the server that has run it. */
  process(): Promise<number>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  close(): Promise<void>;
}

// One that hands them out in turn needs several.
const TRIES = 4;

/**
 * Whether a pooler hands connections on between transactions (as PgBouncer with `pool_mode = transaction` or `statement`):
 * then locks stay behind on connections of others, and notifications are lost. Rejects where a connection does not come about.
 *
 * @param open makes a connection
 */
export async function isHandedOn(open: () => Promise<Session>): Promise<boolean> {
  const first = await open();
  let second: Session | null = null;
  try {
    const process = await first.process();
    // A pooler announces a number of its own; nothing else needs a second connection.
    if (first.announced === process) return false;
    second = await open();
    if (
      !(await second.begin().then(
        () => true,
        () => false,
      ))
    )
      return true;
    if ((await second.process()) === process) return true;
    await second.commit();
    for (let n = 0; n < TRIES; n += 1) {
      if ((await first.process()) !== process) return true;
    }
    return false;
  } finally {
    await Promise.all([first.close(), second?.close()]);
  }
}
