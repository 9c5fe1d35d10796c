import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSurface } from './surface.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const path = (name: string): string => new URL(`../${name}`, import.meta.url).pathname;

const CLIENT = `import type { components, paths } from './contract.js';
type List = paths['/api/projects/{slug}/triggers']['get']['responses'][200]['content']['application/json'];
export const namesOf = (list: List): string[] => list.triggers.map((trigger) => trigger.name);
export const outcomeOf = (run: components['schemas']['Run']): string | null => run.outcome;
export const put: components['schemas']['TriggerPut'] = {
  trigger: { type: 'schedule', interval: '1h' },
  run: { prompt: 'Look.' },
};
`;

describe('the contract', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
    const rest = await startSurface();
    const { body } = await rest.ask('GET', '/api/openapi.json');
    await rest.close();
    const document = join(folder, 'api.json');
    writeFileSync(document, JSON.stringify(body));
    const script = path('scripts/write-contract.mjs');
    await run(process.execPath, [script, document, join(folder, 'contract.ts')]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('matches the document: after a build, run node packages/rest-surface/scripts/write-contract.mjs', () => {
    const stored = readFileSync(path('../client/src/contract.ts'), 'utf8');
    expect(stored === readFileSync(join(folder, 'contract.ts'), 'utf8')).toBe(true);
  });

  it('consists of types that a client compiles with, and fields with a default are optional', async () => {
    writeFileSync(join(folder, 'client.ts'), CLIENT);
    const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const compiled = await run(process.execPath, [compiler, ...options, 'client.ts'], {
      cwd: folder,
    }).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
  });
});
