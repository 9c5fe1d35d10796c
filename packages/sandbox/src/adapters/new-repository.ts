import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// What git init, git config user.name, git remote add and git push -u write. None of it makes git run a program.
const PLAIN_KEYS: readonly (readonly [section: RegExp, keys: readonly string[]])[] = [
  [
    /^\[core\]$/i,
    [
      ...['repositoryformatversion', 'filemode', 'bare', 'logallrefupdates'],
      ...['ignorecase', 'precomposeunicode', 'symlinks'],
    ],
  ],
  [/^\[extensions\]$/i, ['objectformat', 'refstorage']],
  [/^\[user\]$/i, ['name', 'email']],
  [/^\[remote "[\w.-]+"\]$/i, ['url', 'fetch']],
  [/^\[branch "[\w./-]+"\]$/i, ['remote', 'merge']],
];
const ENTRY = /^(\w+) = ([^\\]*)$/;
// Other transports, such as `ext::`, may run a program.
const PLAIN_URL = /^(?:(?:https?|ssh|git):\/\/|[\w.-]+@)\w/;
const MAX_BYTES = 64 * 1024;

/**
 * Whether git runs no program of others because of this path of a repository that a sandbox created. A path that is not
 * known to be harmless is not.
 *
 * @param path below the folder, such as `.git/config`
 */
export async function isHarmless(folder: string, path: string): Promise<boolean> {
  const at = join(folder, path);
  const stats = await lstat(at);
  if (path === '.git/hooks') return stats.isDirectory() && (await hasOnlySamples(at));
  if (path !== '.git/config' || !stats.isFile() || stats.size > MAX_BYTES) return false;
  return isPlainConfig(await readFile(at, 'utf8'));
}

async function hasOnlySamples(hooks: string): Promise<boolean> {
  return (await readdir(hooks)).every((name) => name.endsWith('.sample'));
}

function isPlainConfig(text: string): boolean {
  let keys: readonly string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    if (line.startsWith('[')) {
      const known = PLAIN_KEYS.find(([section]) => section.test(line));
      if (known === undefined) return false;
      [, keys] = known;
      continue;
    }
    const [, key = '', value = ''] = ENTRY.exec(line) ?? [];
    if (!keys.includes(key.toLowerCase())) return false;
    if (key.toLowerCase() === 'url' && !PLAIN_URL.test(value)) return false;
  }
  return true;
}
