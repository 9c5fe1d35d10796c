// @ts-check
// Runs the tests of every package, two at a time. They write many small files and wait until each is on disk; if the machine has a
// folder in memory, their temporary files go there.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;

/** A new folder for temporary files, in memory if there is enough space and programs may run there. */
function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) throw new Error('There is not enough space.');
    const folder = mkdtempSync(join(IN_MEMORY, 'svc-test-'));
    if (startsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // Not available on this machine.
  }
  return mkdtempSync(join(tmpdir(), 'svc-test-'));
}

/** @param {string} folder */
function startsPrograms(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

const folder = temporaryFolder();
// Some tests run as another user.
chmodSync(folder, 0o1777);
const turbo = spawn('turbo', ['run', 'test', '--concurrency=2'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, SVC_BUILT: '1', TMPDIR: folder, TURBO_TELEMETRY_DISABLED: '1' },
});
// A signal to this process also ends turbo, which would count as a success, and removes the folder.
let isEnded = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    isEnded = true;
    turbo.kill(signal);
  });
}
turbo.once('close', (code) => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.exitCode = isEnded ? 1 : (code ?? 1);
  if (process.exitCode !== 0) return;
  process.stdout.write(
    'Not run: the crash tests and the other slow ones. They run with: npm run test:deep\n',
  );
});
