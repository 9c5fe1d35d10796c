import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type TestHome, withHome } from './harness.ts';

jest.setTimeout(60_000);

const HERE = new URL('.', import.meta.url).pathname;

const preload = (name: string): string => `--require ${join(HERE, name)}`;

/** What was made, renamed and synced so far, with paths from the home. */
function recorded({ home, tryRead }: TestHome): string[] {
  return tryRead('syncs').replaceAll(`${home}/`, '').trim().split('\n');
}

/** A service whose syncs are written down. */
const watched = (home: TestHome) =>
  home.serve({ NODE_OPTIONS: preload('record-syncs.cjs'), RECORD_SYNCS: join(home.home, 'syncs') });

describe('what is acknowledged is on the disk', () => {
  it('a new project: its file, its folder, and the folder of projects', () =>
    withHome(async (home) => {
      const server = await watched(home);
      const made = await server.send('POST', '/api/projects', { name: 'Fresh' });
      expect(made.status).toBe(201);
      const lines = recorded(home);
      expect(lines.slice(lines.indexOf('make projects/fresh')).slice(0, 5)).toEqual([
        'make projects/fresh',
        'sync projects/fresh/.project.yaml.svc-new',
        'rename projects/fresh/.project.yaml.svc-new projects/fresh/project.yaml',
        'sync projects/fresh',
        'sync projects',
      ]);
    }));

  it('an edit, and the good version that is remembered of it', () =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', 'triggers: {}\n');
      const server = await watched(home);
      expect(recorded(home)).toEqual(expect.arrayContaining(['sync data', 'sync data/last-good']));
      const before = recorded(home).length;
      const record = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'Do it.' } };
      const put = await server.send('PUT', '/api/projects/demo/triggers/it', record);
      expect(put.status).toBe(200);
      const lines = recorded(home).slice(before);
      for (const file of ['projects/demo/project.yaml', 'data/last-good/demo.yaml']) {
        const [, folder = '', name = ''] = /^(.*)\/(.*)$/.exec(file) ?? [];
        const staged = `${folder}/.${name}.svc-new`;
        const at = lines.indexOf(`sync ${staged}`);
        expect(lines.slice(at, at + 3)).toEqual([
          `sync ${staged}`,
          `rename ${staged} ${file}`,
          `sync ${folder}`,
        ]);
      }
    }));

  it('what a crash left half-written is removed at start', () =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', 'triggers: {}\n');
      home.write('projects/demo/.project.yaml.svc-new', 'half');
      home.write('data/last-good/.demo.yaml.svc-new', 'half');
      home.write('projects/.locks/demo.lock', '');
      await home.serve();
      expect(readdirSync(join(home.home, 'projects/demo'))).toEqual(['project.yaml']);
      expect(readdirSync(join(home.home, 'data/last-good'))).toEqual(['demo.yaml']);
      expect(readdirSync(join(home.home, 'projects/.locks'))).toEqual([]);
    }));
});
