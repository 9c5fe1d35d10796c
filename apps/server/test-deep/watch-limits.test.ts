import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, jest } from '@jest/globals';
import { stringify } from 'yaml';
import { BIN, runCommand, until, withHome } from '../test/harness.ts';

jest.setTimeout(60_000);

const WATCHES = 5;
const SLUGS = Array.from({ length: 12 }, (_, n) => `p${n}`);

const file = (hour: number): string =>
  stringify({
    triggers: {
      a: {
        trigger: { type: 'schedule', cron: `0 ${hour} 1 1 *` },
        run: { prompt: 'Look around.' },
        enabled: true,
      },
    },
  });

// A user namespace has its own limit, which can be set without affecting the machine. Where none can be created, the test uses the
// injected limit of `projects`.
const LIMITED = `echo ${WATCHES} > /proc/sys/user/max_inotify_watches && exec "$@"`;
const inNamespace = ['-Ur', 'sh', '-c', LIMITED, 'sh'];
const isPossible = spawnSync('unshare', [...inNamespace, 'true']).status === 0;

// proves: scale.watch-limit.said, scale.watch-limit.doctor, scale.watch-limit.followed
it('edits are armed, and the limit is named, when the machine has no watches left', () =>
  withHome(async (home) => {
    if (!isPossible) {
      process.stderr.write('No namespace of users can be made here: the limit is not set.\n');
      return;
    }
    for (const slug of SLUGS) home.write(`projects/${slug}/project.yaml`, file(3));
    const child = spawn(
      'unshare',
      [...inNamespace, process.execPath, BIN, 'serve', '--home', home.home, '--port', '0'],
      { env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC' } },
    );
    try {
      const lines: Record<string, unknown>[] = [];
      createInterface({ input: child.stdout }).on('line', (text) => lines.push(JSON.parse(text)));
      const line = await until(async () => lines.find(({ msg }) => msg === 'listening'));
      const ask = async (path: string) => (await fetch(`${String(line['url'])}${path}`)).json();
      expect(lines.filter(({ limit }) => limit === 'fs.inotify.max_user_watches')).toHaveLength(1);
      const { limitedWatch } = (await ask('/api/status')) as { limitedWatch: { projects: number } };
      expect(limitedWatch.projects).toBeGreaterThanOrEqual(SLUGS.length - WATCHES);
      const { out } = await runCommand(['doctor', '--home', home.home]);
      expect(out).toMatch(
        /^edits: The limit fs\.inotify\.max_user_watches .* take effect after up to a second\.$/m,
      );
      for (const slug of SLUGS) home.write(`projects/${slug}/project.yaml`, file(7));
      for (const slug of SLUGS) {
        await until(async () => {
          const { runtime } = (await ask(`/api/projects/${slug}/triggers/runtime`)) as {
            runtime: { nextFire: string | null }[];
          };
          return runtime[0]?.nextFire?.includes('T07:00') === true;
        });
      }
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }));
