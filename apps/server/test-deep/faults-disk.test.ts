import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { type TestHome, until, WITHOUT_SANDBOX, withUnsandboxedHome } from '../test/harness.ts';
import { beating, beats, countLogged, expectConsistent, readiness } from './faults.ts';

jest.setTimeout(60_000);

const FULL = 'The disk is full. Free some space; svc recovers automatically.';
const RECORD = { trigger: { type: 'schedule', interval: '1h' }, run: { prompt: 'x'.repeat(9000) } };
const NOBODY_UID = 65_534;
const AS_NOBODY = [
  'setpriv',
  `--reuid=${NOBODY_UID}`,
  `--regid=${NOBODY_UID}`,
  '--clear-groups',
  '--',
];

/** A home on its own disk of 24 MB. */
async function withSmallDisk(test: (home: TestHome) => Promise<void>): Promise<void> {
  await withUnsandboxedHome(async (home) => {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', home.home]);
    } catch (error) {
      throw new Error('This test mounts a small disk: run it as root, with mounts allowed.', {
        cause: error,
      });
    }
    try {
      home.write('svc.config.yaml', WITHOUT_SANDBOX);
      await test(home);
    } finally {
      execFileSync('umount', ['-l', home.home]);
    }
  });
}

/** Fills the disk of a home to the last byte. */
function fill({ home }: TestHome): void {
  const file = openSync(join(home, 'ballast'), 'a');
  for (const bytes of [65_536, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes, 1));
    } catch {
      // The disk is full.
    }
  }
  closeSync(file);
}

function freeDisk({ home }: TestHome): void {
  rmSync(join(home, 'ballast'));
}

describe('a full disk', () => {
  // proves: faults.disk.full
  it('refuses what it cannot store, loses nothing stored, and continues automatically', () =>
    withSmallDisk(async (home) => {
      // Some runs are in progress when the disk fills up.
      const text = beating(home, 'sleep 0.5; seq 200');
      home.write('projects/demo/project.yaml', text);
      const server = await home.serve();
      await beats(server);
      const put = () => server.send('PUT', '/api/projects/demo/triggers/other', RECORD);
      const run = () => server.send('POST', '/api/projects/demo/triggers/it/run');
      const refused = {
        status: 503,
        body: { code: 'unavailable', error: expect.stringContaining(FULL) },
      };
      for (let n = 0; n < 4; n += 1) {
        fill(home);
        expect(await put()).toMatchObject(refused);
        expect(await run()).toMatchObject(refused);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      expect(await server.send('POST', '/api/projects', { name: 'New' })).toMatchObject(refused);
      expect(home.read('projects/demo/project.yaml')).toBe(text);
      expect(readdirSync(join(home.home, 'projects')).sort()).toEqual(['.locks', 'demo']);
      expect(await readiness(server, 503)).toBe(FULL);
      freeDisk(home);
      await readiness(server, 200);
      await beats(server);
      expect((await put()).status).toBe(200);
      expect((await run()).status).toBe(202);
      const ended = await until(async () => {
        const runs = await expectConsistent(home, server);
        return runs.filter(({ state }) => state !== 'ended').length <= 1 && runs;
      });
      // No run counts as succeeded when its transcript could not be stored.
      for (const { id, sessionId } of ended.filter(({ outcome }) => outcome === 'succeeded')) {
        const { body } = await server.get(`/api/projects/demo/chats/${sessionId}?limit=200`);
        expect([id, JSON.stringify(body).includes('199\\n200')]).toEqual([id, true]);
      }
      expect(countLogged(server, 'database unavailable')).toBe(1);
      expect(countLogged(server, 'cannot claim slots')).toBe(1);
      expect(await server.stop()).toBe(0);
    }));

  // proves: faults.disk.full
  it('prevents the start with a clear error', () =>
    withSmallDisk(async (home) => {
      await (await home.serve()).stop();
      fill(home);
      const { code, error } = await home.run('serve', '--port', '0');
      expect([code, error.trim()]).toEqual([
        1,
        'svc: The disk is full. Free some space, then start svc again.',
      ]);
      freeDisk(home);
      expect((await (await home.serve()).get('/readyz')).status).toBe(200);
    }));
});

function own(home: TestHome, ...paths: string[]): void {
  for (const path of ['', 'projects', 'projects/demo', 'projects/demo/project.yaml', ...paths]) {
    chownSync(join(home.home, path), NOBODY_UID, NOBODY_UID);
  }
}

describe('a folder that the service user may not write', () => {
  // proves: faults.disk.read-only
  it('as home prevents the start with a clear error', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      chmodSync(home.home, 0o755);
      await expect(home.serveThrough(AS_NOBODY)).rejects.toThrow(
        `exit 1: svc: The home folder ${home.home} cannot be used: ${home.home}/data cannot be written (EACCES). Run the command as the owner of the home, or choose a writable home with --home.`,
      );
      expect(readdirSync(home.home).sort()).toEqual(['projects', 'svc.config.yaml']);
    }));

  // proves: faults.disk.read-only
  it('as project folder prevents edits of that project alone', () =>
    withUnsandboxedHome(async (home) => {
      const text = beating(home);
      home.write('projects/demo/project.yaml', text);
      own(home);
      const folder = join(home.home, 'projects/demo');
      chmodSync(folder, 0o555);
      const server = await home.serveThrough(AS_NOBODY);
      const put = await server.send('PUT', '/api/projects/demo/triggers/other', RECORD);
      expect(put).toMatchObject({
        status: 503,
        body: {
          error:
            'project.yaml cannot be written. The user that svc runs as lacks permission to read or write here. Grant it.',
        },
      });
      expect(home.read('projects/demo/project.yaml')).toBe(text);
      await beats(server);
      expect((await server.send('POST', '/api/projects', { name: 'New' })).status).toBe(201);
      chmodSync(folder, 0o755);
      expect((await server.send('PUT', '/api/projects/demo/triggers/other', RECORD)).status).toBe(
        200,
      );
      await expectConsistent(home, server);
    }));

  // proves: faults.disk.read-only
  it('as data folder is reported on all surfaces, and records stay correct', () =>
    withUnsandboxedHome(async (home) => {
      home.write('projects/demo/project.yaml', beating(home));
      own(home);
      const server = await home.serveThrough(AS_NOBODY);
      await beats(server);
      const data = join(home.home, 'data');
      chownSync(data, 0, 0);
      chmodSync(data, 0o755);
      // Open files stay open.
      const put = await server.send('PUT', '/api/projects/demo/triggers/other', RECORD);
      expect(put.status).toBe(200);
      await beats(server);
      await expectConsistent(home, server);
      expect(await server.stop()).toBe(0);
      await expect(home.serveThrough(AS_NOBODY)).rejects.toThrow(
        `${data} cannot be written (EPERM). Run the command as the owner of the home, or choose a writable home with --home.`,
      );
      chownSync(data, NOBODY_UID, NOBODY_UID);
      const again = await home.serveThrough(AS_NOBODY);
      await beats(again);
      await expectConsistent(home, again);
    }));
});
