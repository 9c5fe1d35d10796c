import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { lutimes, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sweepTemporaries } from '@svc/agent-runtime';
import { clock, inFolder, play, step, until, writeBegun } from './support.ts';

const OURS = '.svc-0123456789abcdef.tmp';
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

async function old(path: string): Promise<void> {
  await writeFile(path, 'half');
  await utimes(path, LONG_AGO, LONG_AGO);
}

// A separate process that writes large files with the real tool.
function writer(folder: string) {
  const script = `
    import { createNativeRuntime, createPlaybook, createProcessReaper } from '@svc/agent-runtime';
    import { createSystemClock, silentLogger as logger } from '@svc/core';
    const clock = createSystemClock();
    const reaper = createProcessReaper({ clock, logger });
    const model = createPlaybook();
    const runtime = createNativeRuntime({ clock, logger, reaper, model, operations: {}, detectRuntimes: async () => [] });
    const input = JSON.stringify({ file_path: 'sub/f', content: 'x'.repeat(10_000_000) });
    const author = ('~~~tool Write\\n' + input + '\\n~~~\\n').repeat(3);
    const capability = { runsAs: 'agent', tools: ['Write'], permissionMode: 'default', maxTurns: 9, maxSpawnDepth: 0 };
    const spec = { turnId: 't', cwd: process.argv[1], prompt: { author }, capability, depth: 0, model: null, limits: { maxTurns: 9 }, env: {}, toolset: null };
    for (;;) for await (const event of runtime.start(spec, new AbortController().signal));`;
  const args = ['--input-type=module', '-e', script, folder];
  return spawn(process.execPath, args, { cwd: import.meta.dirname, env: {}, stdio: 'inherit' });
}

const halfWritten = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.tmp'));

describe('sweepTemporaries', () => {
  it('removes the files of a process that was killed while it wrote', async () => {
    await inFolder(async (folder) => {
      const place = join(folder, 'sub');
      await mkdir(place);
      for (let kill = 0; kill < 20 && halfWritten(place).length === 0; kill += 1) {
        const child = writer(folder);
        await until(() => halfWritten(place).length > 0);
        child.kill('SIGKILL');
        await until(() => child.signalCode !== null);
      }
      expect(halfWritten(place)).toHaveLength(1);
      // Files have the time of the kernel's last tick.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await sweepTemporaries(folder, clock.now())).toEqual({ removed: 1 });
      expect(halfWritten(place)).toEqual([]);
    });
  }, 60_000);

  it('removes only old files with such a name, at any depth', async () => {
    await inFolder(async (folder) => {
      const outside = join(folder, 'outside');
      const project = join(folder, 'project');
      const deep = join(project, 'a/node_modules/b');
      for (const path of [outside, deep, join(project, '.git'), join(project, '.svc')]) {
        await mkdir(path, { recursive: true });
      }
      const kept = ['.svc-notes.tmp', '.svc-0123456789ABCDEF.tmp', `x${OURS}`, `${OURS}.md`];
      for (const name of kept) await old(join(project, name));
      for (const path of [project, deep, outside, join(project, '.git'), join(project, '.svc')]) {
        await old(join(path, OURS));
      }
      await writeFile(join(project, 'a', OURS), 'being written');
      await mkdir(join(project, 'a', 'b', OURS.replace('0', '1')), { recursive: true });
      await symlink(join(outside, OURS), join(project, 'a', OURS.replace('0', '2')));
      await lutimes(join(project, 'a', OURS.replace('0', '2')), LONG_AGO, LONG_AGO);
      await symlink(outside, join(project, 'away'));
      const from = clock.now() - 60_000;
      expect(await sweepTemporaries(project, from)).toEqual({ removed: 3 });
      expect((await readdir(project)).sort()).toEqual(
        ['.git', '.svc', 'a', 'away', ...kept].sort(),
      );
      expect(await readdir(outside)).toEqual([OURS]);
      expect(await readdir(join(project, '.git'))).toEqual([OURS]);
      expect((await readdir(join(project, 'a'))).sort()).toEqual([
        OURS,
        OURS.replace('0', '2'),
        'b',
        'node_modules',
      ]);
      expect(await readdir(join(project, 'a', 'b'))).toEqual([OURS.replace('0', '1')]);
    });
  });

  it('keeps the file of a write that began after the given instant', async () => {
    await inFolder(async (folder) => {
      const before = clock.now();
      const content = 'x'.repeat(8_000_000);
      const writing = play(folder, step('Write', { file_path: 'f', content }));
      await writeBegun(folder);
      await sweepTemporaries(folder, before);
      expect((await writing).end.outcome).toBe('succeeded');
    });
  });

  it('throws if there is no folder', async () => {
    await expect(sweepTemporaries('/nowhere/at/all', 0)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
