import { dirname, join, relative } from 'node:path';
import type { Environment } from './instance.ts';

/**
 * The environment without the PATH entries that npm or pnpm added when they started this program from its repository:
 * the programs of that repository and of its parent folders.
 */
export function withoutPackagePaths(env: Environment, repository: string): Environment {
  const { PATH } = env;
  if (PATH === undefined || env['npm_lifecycle_event'] === undefined) return env;
  const entries = PATH.split(':');
  const first = entries.findIndex((entry) => !isAdded(entry, repository));
  return { ...env, PATH: first === -1 ? '' : entries.slice(first).join(':') };
}

function isAdded(entry: string, repository: string): boolean {
  if (/\/node-gyp-bin\/?$/.test(entry)) return true;
  if (!entry.endsWith(join('node_modules', '.bin'))) return false;
  const owner = dirname(dirname(entry));
  return isWithin(owner, repository) || isWithin(repository, owner);
}

function isWithin(inner: string, outer: string): boolean {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith('../');
}
