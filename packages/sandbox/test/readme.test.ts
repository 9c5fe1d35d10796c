import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { createSystemClock, silentLogger } from '@svc/core';
import { createSandboxHost } from '../src/index.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

it('the example of the README prints what it shows, where this machine can run sandboxes', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, code = '', shown = ''] = /```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/.exec(readme) ?? [];
  const place = await mkdtemp(join(root, 'dist/readme-'));
  try {
    const host = createSandboxHost(
      { clock: createSystemClock(), logger: silentLogger },
      {
        ...{ path: '/usr/bin:/bin', node: process.execPath, stateFolder: join(place, 'state') },
        ...{ hide: [], readOnly: [], writable: [], user: null },
        limits: { memoryBytes: 2 ** 30, processes: 100, cpuMs: null },
      },
    );
    const support = await host.support();
    if (!support.supported) {
      expect(support).toEqual({
        supported: false,
        reason: expect.stringMatching(/^\S.*\.$/),
        fix: expect.stringMatching(/^\S.*\.$/),
      });
      return;
    }
    await writeFile(join(place, 'example.mjs'), code);
    const { stdout, stderr } = await run(process.execPath, [join(place, 'example.mjs')]);
    const sorted = (text: string): string[] => text.trim().split('\n').sort();
    expect(sorted(stdout + stderr)).toEqual(sorted(shown));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
