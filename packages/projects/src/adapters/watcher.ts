import { relative } from 'node:path';
import { type Logger, messageOf } from '@svc/core';
import type { Slug } from '@svc/records';
import { watch as watchFiles } from 'chokidar';
import { slugOfPath } from '../paths.ts';

/** Watches the projects folder and names each project whose file or folder has changed. */
export async function watchProjects(
  root: string,
  deps: { readonly logger: Logger },
  changed: (slug: Slug) => void,
): Promise<() => Promise<void>> {
  const watcher = watchFiles(root, {
    depth: 1,
    ignoreInitial: true,
    ignored: (path) => path !== root && slugOfPath(relative(root, path)) === null,
  });
  watcher.on('all', (_event, path) => {
    const slug = slugOfPath(relative(root, path));
    if (slug !== null) changed(slug);
  });
  watcher.on('error', (error) => {
    deps.logger.error({ error: messageOf(error) }, 'watching the projects folder failed');
  });
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  return () => watcher.close();
}
