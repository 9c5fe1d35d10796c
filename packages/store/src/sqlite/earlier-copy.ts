import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { diskFaultOf, startSentenceOf } from '@svc/core';
import { StoreError } from '../errors.ts';
import type { Copies, DatabaseCopy } from './copies.ts';

/** Number of copies of earlier schemas to keep. */
const KEPT = 2;
const MB = 1024 * 1024;

/**
 * Saves a durable copy of a database beside it, before it is migrated. Returns its path.
 *
 * @param to name of the newest step of the new schema.
 * @throws StoreError `unavailable` if there is no space, or the disk fails
 */
export async function keepEarlier(copies: Copies, file: string, to: string): Promise<string> {
  const kept = `${file}.before-${to}`;
  const copy = await copies.open();
  try {
    await writeDurably(copy, `${kept}.new`);
    await rename(`${kept}.new`, kept);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(`${kept}.new`, { force: true });
    throw notKept(error, file, copy.bytes);
  } finally {
    await copy.close();
  }
  await removeOldest(file, kept);
  return kept;
}

async function writeDurably({ chunks }: DatabaseCopy, file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    for await (const chunk of chunks) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notKept(error: unknown, file: string, bytes: number): unknown {
  const fault = diskFaultOf(error);
  if (fault === null) return error;
  const room = `Free ${Math.ceil(bytes / MB)} MB in ${dirname(file)}, then start svc again.`;
  const why = fault.kind === 'full' ? `The disk is full. ${room}` : startSentenceOf(fault);
  const message = `The database was not migrated, because a copy of it could not be written first. ${why}`;
  return new StoreError('unavailable', message, { facts: { file } });
}

async function removeOldest(file: string, newest: string): Promise<void> {
  const folder = dirname(file);
  const start = `${basename(file)}.before-`;
  const names = await readdir(folder);
  const kept = names.filter((name) => name.startsWith(start)).map((name) => join(folder, name));
  const dated = await Promise.all(
    kept
      .filter((path) => path !== newest)
      .map(async (path) => ({ path, at: (await stat(path)).mtimeMs })),
  );
  const old = dated.sort((a, b) => b.at - a.at).slice(KEPT - 1);
  for (const { path } of old) await rm(path, { force: true });
}
