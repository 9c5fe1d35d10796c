import { constants, existsSync, renameSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFaultOf } from '@svc/core';
import { ProjectsError } from '../errors.ts';
import { digest } from '../known-files.ts';
import type { LastGood } from '../last-good.ts';
import { syncFolder } from './atomic-write.ts';

/** Stores the last valid versions; `sweep` removes incomplete files after a crash. */
export type LastGoodVersions = LastGood & { sweep(): Promise<void> };

// A crash during a write leaves such a file.
const INCOMPLETE_FILE = /^\..+\.yaml\.svc-new$/;

/** Stores the last valid version of each project file durably in a folder. */
export function createLastGoodVersions(folder: string): LastGoodVersions {
  const fileOf = (slug: string): string => join(folder, `${slug}.yaml`);
  const heldOf = (slug: string): string => join(folder, `${slug}.held`);
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
      // Every start reports each valid file again; unchanged files need no write.
      if (sizeOf(file) === Buffer.byteLength(text) && (await load(slug)) === text) return;
      await ensureFolder();
      try {
        await writeDurably(stagedOf(slug), text);
        renameSync(stagedOf(slug), file);
        await synced();
      } catch (error) {
        const why = diskFaultOf(error)?.sentence ?? 'Check permissions and free space.';
        throw new ProjectsError('unavailable', why, { cause: error });
      }
    },
    async forget(slug) {
      await rm(fileOf(slug), { force: true });
      await rm(heldOf(slug), { force: true });
    },
    isHeld: async (slug) => existsSync(heldOf(slug)),
    async setHeld(slug, isHeld) {
      if (isHeld) {
        await ensureFolder();
        await writeDurably(heldOf(slug), '');
      } else await rm(heldOf(slug), { force: true });
      await synced();
    },
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      const left = names.filter((name) => INCOMPLETE_FILE.test(name));
      await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

/** Texts by name, in a database that several servers share. */
export interface SharedTexts {
  load(slug: string): Promise<string | null>;
  save(slug: string, text: string): Promise<void>;
  forget(slug: string): Promise<void>;
}

/** Stores them in a shared database; `own` has those from before the home used that database. */
export function createSharedLastGoodVersions(
  texts: SharedTexts,
  own: LastGoodVersions,
): LastGoodVersions {
  return {
    isShared: true,
    load: async (slug) => (await texts.load(slug)) ?? own.load(slug),
    save: (slug, text) => texts.save(slug, text),
    async forget(slug) {
      await texts.forget(slug);
      await texts.forget(heldIn(slug));
      await texts.forget(announcedIn(slug));
      await own.forget(slug);
    },
    isHeld: async (slug) => (await texts.load(heldIn(slug))) !== null || (await own.isHeld(slug)),
    async setHeld(slug, isHeld) {
      if (isHeld) return texts.save(heldIn(slug), 'held');
      await texts.forget(heldIn(slug));
      if (await own.isHeld(slug)) await own.setHeld(slug, false);
    },
    announce: (slug, text) => texts.save(announcedIn(slug), digest(text)),
    isAnnounced: async (slug, text) => (await texts.load(announcedIn(slug))) === digest(text),
    sweep: () => own.sweep(),
  };
}

// No slug contains a slash.
function heldIn(slug: string): string {
  return `${slug}/held`;
}

function announcedIn(slug: string): string {
  return `${slug}/announced`;
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

// A running sync may not cover a file that was renamed after its start, so all such files share the next sync.
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
