import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestHome } from '../test/harness.ts';

const ATTACKS = fileURLToPath(new URL('attacks', import.meta.url));

/** How secrets begin that nothing in a sandbox may read; lower-case letters follow, which say where it was found. */
export const SECRET = 'svc-fence-secret';

/** The same, as a pattern for all of them. */
export const ANY_SECRET: RegExp = /svc-fence-secret-[a-z]+/g;

/** What the attempts of one turn left in its folder of results. */
export interface Results {
  /** Names of those that did not fail. */
  readonly succeeded: readonly string[];
  /** Names of all attempts, with their output. */
  readonly output: Readonly<Record<string, string>>;
}

/** Writes secrets around the project `demo`, and what agents must not change into it. */
export function plantFiles(home: TestHome): void {
  const demo = join(home.home, 'projects/demo');
  cpSync(ATTACKS, join(demo, 'attacks'), { recursive: true });
  execFileSync('git', ['init', '-q'], { cwd: demo });
  home.write('projects/demo/.git/hooks/post-commit', '#!/bin/sh\n');
  home.write('projects/demo/.claude/settings.json', '{}\n');
  home.write('projects/demo/.svc/kept.md', 'kept\n');
  copyFileSync('/bin/sh', join(demo, 'setuid-shell'));
  chmodSync(join(demo, 'setuid-shell'), 0o4755);
  home.write('projects/other/project.yaml', `summary: ${SECRET}-project\n`);
  home.write('outside.txt', `${SECRET}-outside\n`);
  home.write('secret.env', `FROM_FILE=${SECRET}-envfile\n`);
  home.write('person/.ssh/id_ed25519', `${SECRET}-sshkey\n`);
  for (const file of ['secret.env', 'person/.ssh/id_ed25519']) {
    chmodSync(join(home.home, file), 0o600);
  }
}

/** Reads the results of an attack: the folder `name` of the project. */
export function readResults({ home }: TestHome, name: string): Results {
  const folder = join(home, 'projects/demo', name);
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const output = Object.fromEntries(
    files.map((file) => [file.name, readFileSync(join(folder, file.name), 'latin1')]),
  );
  const succeeded = (output['succeeded'] ?? '').split('\n').filter((line) => line !== '');
  return { succeeded, output };
}

// The service writes its data and the state of runtimes, and attacks write their results.
const CHANGING = /^(?:data|runtimes|projects\/demo\/results-\w+)$/;

/** Mode and content of all files of a home that neither the service nor an agent may change, by path. */
export function stableFiles({ home }: TestHome): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const name = relative(home, path);
    if (CHANGING.test(name)) return;
    const entry = lstatSync(path);
    const content = entry.isSymbolicLink()
      ? readlinkSync(path)
      : entry.isFile()
        ? readFileSync(path, 'latin1')
        : '';
    found[name] = `${entry.mode.toString(8)} ${content}`;
    if (entry.isDirectory()) for (const child of readdirSync(path)) visit(join(path, child));
  };
  visit(home);
  return found;
}
