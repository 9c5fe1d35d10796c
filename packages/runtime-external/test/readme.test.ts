import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const [, code = '', output = ''] = /```js\n(.*?)```\n\n```\n(.*?)```/s.exec(readme) ?? [];

it('the example of the README runs and prints what it says', async () => {
  // Where it finds the package by its name.
  const folder = mkdtempSync(new URL('../dist/readme-', import.meta.url).pathname);
  try {
    writeFileSync(join(folder, 'example.mjs'), code);
    const child = spawn(process.execPath, [join(folder, 'example.mjs')]);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
