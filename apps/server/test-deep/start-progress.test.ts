import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, jest } from '@jest/globals';
import { BIN, runCommand, until, withHome } from '../test/harness.ts';

jest.setTimeout(120_000);

const PROJECTS = 5000;
const FILE = `triggers:
  nightly:
    trigger: { type: schedule, cron: "0 3 * * *" }
    run: { prompt: Look around. }
    enabled: true
`;

// proves: scale.progress, scale.start.stopped
it('a service with many triggers to arm reports its progress, and stops on request', () =>
  withHome(async (home) => {
    for (let n = 0; n < PROJECTS; n += 1) home.write(`projects/p${n}/project.yaml`, FILE);
    const child = spawn(process.execPath, [BIN, 'serve', '--home', home.home, '--port', '0']);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const ended = once(child, 'close');
    const said = await until(async () => {
      const { url = '' } = JSON.parse(home.tryRead('data/instance.json') || '{}') as {
        url?: string;
      };
      const answer = url === '' ? null : await fetch(`${url}/readyz`);
      const { reason = '' } = ((await answer?.json()) ?? {}) as { reason?: string };
      return /^The instance is starting: checked [\d,]+ of 5,000 projects/.exec(reason)?.[0];
    });
    const doctor = await runCommand(['doctor', '--home', home.home]);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toBeDefined();
    expect(doctor.out).toMatch(/^server: The instance is starting: /m);
    expect(out).toContain('"msg":"stopped"');
    expect(out).not.toContain('"msg":"listening"');
  }));
