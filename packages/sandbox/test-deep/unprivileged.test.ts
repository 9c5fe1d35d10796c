import { execFile, spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const OTHER_ID = 65_534;
const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const JEST = join(PACKAGE, '../../node_modules/jest/bin/jest.js');
const AS_OTHER = [
  ...[`--reuid=${OTHER_ID}`, `--regid=${OTHER_ID}`, '--clear-groups', '--no-new-privs'],
  ...['--bounding-set=-all', '--inh-caps=-all', process.execPath, JEST],
];

// Only root can switch to another user, which may not be able to read these files.
const mayRun =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...AS_OTHER, '--version'], { cwd: '/' }).status === 0;

describe('a process that is not root and has no capabilities', () => {
  it('passes the other tests of sandboxes', async () => {
    if (!mayRun) {
      process.stderr.write('Not checked: these tests cannot run as another user here.\n');
      return;
    }
    const home = await mkdtemp(join(tmpdir(), 'svc-unprivileged-'));
    try {
      await chown(home, OTHER_ID, OTHER_ID);
      const env = { ...process.env, SVC_BUILT: '1', TMPDIR: home, HOME: home };
      const options = ['--config', 'jest.deep.config.js', 'test-deep/(?:sandbox|keys)'];
      const { stderr } = await run('setpriv', [...AS_OTHER, ...options], { cwd: PACKAGE, env });
      expect(stderr).toMatch(/^Tests: +\d{2,} passed, \d+ total$/m);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }, 400_000);
});
