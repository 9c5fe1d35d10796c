import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastGood } from '@svc/projects';

/** Keeps the last good version of each project file in a folder of the instance's own. */
export function createLastGood(folder: string): LastGood {
  const fileOf = (slug: string): string => join(folder, `${slug}.yaml`);
  return {
    load: (slug) => readFile(fileOf(slug), 'utf8').catch(() => null),
    async save(slug, text) {
      await mkdir(folder, { recursive: true });
      const staged = `${fileOf(slug)}.new`;
      await writeFile(staged, text, { mode: 0o600 });
      await rename(staged, fileOf(slug));
    },
    forget: (slug) => rm(fileOf(slug), { force: true }),
  };
}
