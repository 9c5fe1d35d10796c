import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, jest } from '@jest/globals';
import { startSurface } from './surface.ts';

jest.setTimeout(60_000);

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);

const CLIENT = `import type { components, paths } from './api.js';
type List = paths['/api/projects/{slug}/triggers']['get']['responses'][200]['content']['application/json'];
export const namesOf = (list: List): string[] => list.triggers.map((trigger) => trigger.name);
export const outcomeOf = (run: components['schemas']['Run']): string | null => run.outcome;
`;

it('the document becomes types that a client compiles with', async () => {
  const rest = await startSurface();
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
  try {
    const { body } = await rest.ask('GET', '/api/openapi.json');
    writeFileSync(join(folder, 'api.json'), JSON.stringify(body));
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    const generator = join(dirname(resolve('openapi-typescript/package.json')), 'bin/cli.js');
    const files = [join(folder, 'api.json'), '-o', join(folder, 'api.d.ts')];
    await run(process.execPath, [generator, ...files], { cwd: folder });
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext'];
    const compiled = await run(
      process.execPath,
      [compiler, ...options, join(folder, 'client.ts')],
      {
        cwd: folder,
      },
    ).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
    await rest.close();
  }
});
