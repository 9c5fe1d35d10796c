import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Which database a store is to open. */
export type Place = { readonly file: string } | { readonly url: string };

/** A file that is not there yet, in a folder of its own. */
export async function withFile(test: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
  try {
    await test(join(folder, 'svc.db'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The server that databases are made on; undefined where the embedded database is what is tested. */
const server = process.env['SVC_STORE_TEST_SERVER'];

// Of the deep tests: what it brings along is not loaded before.
const MAKER = new URL('../test-deep/postgres.mjs', import.meta.url).href;

interface Maker {
  createDatabase(server: string): Promise<{ readonly url: string; drop(): Promise<void> }>;
}

/** An empty database on the server of the run; it is gone afterwards. */
export async function withUrl(test: (url: string) => Promise<void>): Promise<void> {
  const { createDatabase } = (await import(MAKER)) as Maker;
  const { url, drop } = await createDatabase(server ?? '');
  try {
    await test(url);
  } finally {
    await drop();
  }
}

/** An empty database of the kind that is tested. */
export function withPlace(test: (place: Place) => Promise<void>): Promise<void> {
  if (server === undefined) return withFile((file) => test({ file }));
  return withUrl((url) => test({ url }));
}
