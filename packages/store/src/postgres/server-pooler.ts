/** A connection to a database or to a pooler in front of it. */
export interface Session {
  /** The server process announced when the connection started; null if none was. */
  readonly announced: number | null;
  /** Runs a statement and returns the server process that ran it. */
  process(): Promise<number>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  close(): Promise<void>;
}

// A pooler that hands out connections in turn is only detected after several statements.
const TRIES = 4;

/**
 * Whether a pooler reassigns connections between transactions (as PgBouncer with `pool_mode = transaction` or
 * `statement`). Locks would then stay on connections of other clients, and notifications would be lost. Rejects if no
 * connection can be made.
 *
 * @param open creates a connection
 */
export async function isHandedOn(open: () => Promise<Session>): Promise<boolean> {
  const first = await open();
  let second: Session | null = null;
  try {
    const process = await first.process();
    // A pooler announces a number of its own, so without one a second connection is unnecessary.
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
