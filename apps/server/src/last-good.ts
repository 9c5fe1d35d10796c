import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LastGood, replaceFile, syncFolder } from '@svc/projects';
import { ServerError } from './errors.ts';

/** What keeps the last good versions, and removes what a crash left half-written among them. */
export type LastGoodFolder = LastGood & { sweep(): Promise<void> };

// What `replaceFile` leaves when it is interrupted.
const HALF_WRITTEN = /^\..+\.yaml\.svc-new$/;

/** Keeps the last good version of each project file, durably, in a folder of the instance's own. */
export function createLastGood(folder: string): LastGoodFolder {
  const fileOf = (slug: string): string => join(folder, `${slug}.yaml`);
  const load = (slug: string): Promise<string | null> =>
    readFile(fileOf(slug), 'utf8').catch(() => null);
  return {
    load,
    async save(slug, text) {
      // At every start each file is found to be good once more.
      if ((await load(slug)) === text) return;
      const made = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncFolder(dirname(folder));
      const content = { file: fileOf(slug), text, mode: 0o600 };
      const replaced = await replaceFile(content, () => true);
      if (!replaced.ok) throw new ServerError('unavailable', replaced.error);
    },
    forget: (slug) => rm(fileOf(slug), { force: true }),
    async sweep() {
      const names = await readdir(folder).catch(() => []);
      const left = names.filter((name) => HALF_WRITTEN.test(name));
      await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}
