import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, code = '', output = ''] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];

it('the README example runs and prints the documented output', async () => {
  // Below the package, so that the example can import the package by its name.
  const folder = mkdtempSync(new URL('../dist/readme-', import.meta.url).pathname);
  try {
    writeFileSync(join(folder, 'example.mjs'), code);
    const child = spawn(process.execPath, [join(folder, 'example.mjs')]);
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    child.stderr.on('data', (chunk) => (printed += chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(printed).toBe(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
