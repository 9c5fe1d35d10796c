import { constants, renameSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFaultOf } from '@svc/core';
import { type LastGood, syncFolder } from '@svc/projects';
import type { GoodTexts } from '@svc/store';
import { ServerError } from './errors.ts';

/** What keeps the last good versions, and removes what a crash left half-written among them. */
export type LastGoodFolder = LastGood & { sweep(): Promise<void> };

// What a crash leaves.
const HALF_WRITTEN = /^\..+\.yaml\.svc-new$/;

/** Keeps the last good version of each project file, durably, in a folder of the instance's own. */
export function createLastGood(folder: string): LastGoodFolder {
  const fileOf = (slug: string): string => join(folder, `${slug}.yaml`);
  const stagedOf = (slug: string): string => join(folder, `.${slug}.yaml.svc-new`);
  const synced = createSharedSync(folder);
  const ensureFolder = async (): Promise<void> => {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await syncFolder(dirname(folder));
  };
  const load = (slug: string): Promise<string | null> =>
    readFile(fileOf(slug), 'utf8').catch(() => null);
  return {
    load,
    async save(slug, text) {
      const file = fileOf(slug);
      // At every start each file is found to be good once more.
      if (sizeOf(file) === Buffer.byteLength(text) && (await load(slug)) === text) return;
      await ensureFolder();
      try {
        await writeDurably(stagedOf(slug), text);
        renameSync(stagedOf(slug), file);
        await synced();
      } catch (error) {
        const why = diskFaultOf(error)?.sentence ?? 'Check permissions and free space.';
        throw new ServerError('unavailable', why, { cause: error });
      }
    },
    forget: (slug) => rm(fileOf(slug), { force: true }),
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      const left = names.filter((name) => HALF_WRITTEN.test(name));
      await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

/** Keeps them in a database that several processes share; `own` has those of a home from before it had that database. */
export function createSharedLastGood(texts: GoodTexts, own: LastGoodFolder): LastGoodFolder {
  return {
    isShared: true,
    load: async (slug) => (await texts.load(slug)) ?? own.load(slug),
    save: (slug, text) => texts.save(slug, text),
    async forget(slug) {
      await texts.forget(slug);
      await own.forget(slug);
    },
    sweep: () => own.sweep(),
  };
}

function sizeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.size ?? null;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, FLAGS, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// What was renamed while a sync goes on is made durable by the next one, however many there are.
function createSharedSync(folder: string): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        running = syncFolder(folder);
        return running;
      });
    return next;
  };
}
