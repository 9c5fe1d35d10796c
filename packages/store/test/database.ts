import { randomUUID } from 'node:crypto';
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

/** An empty database on the server of the run; it is gone afterwards. */
export async function withUrl(test: (url: string) => Promise<void>): Promise<void> {
  const { default: pg } = await import('pg');
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const name = `svc_test_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name} template template0 locale 'C' encoding 'UTF8'`);
  const url = new URL(server ?? '');
  url.pathname = `/${name}`;
  try {
    await test(url.href);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

/** An empty database of the kind that is tested. */
export function withPlace(test: (place: Place) => Promise<void>): Promise<void> {
  if (server === undefined) return withFile((file) => test({ file }));
  return withUrl((url) => test({ url }));
}
