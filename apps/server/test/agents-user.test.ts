import { execFile } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { BIN, type Finished, type TestHome, withHome } from './harness.ts';

jest.setTimeout(40_000);

const DAEMON = 1;
const asRoot = process.getuid?.() === 0;
const WHO = asRoot ? 'as root' : 'as an ordinary user';

/** Starts the service with `agents.user`, optionally through a program that drops capabilities. */
function start(home: TestHome, user: string, through: readonly string[] = []): Promise<Finished> {
  mkdirSync(join(home.home, 'projects'), { recursive: true });
  home.write('svc.config.yaml', `agents: { user: ${user} }\n`);
  const serve = [process.execPath, BIN, 'serve', '--home', home.home, '--port', '0'];
  const [program = '', ...args] = [...through, ...serve];
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 30_000 }, (_, out, error) =>
      resolve({ code: child.exitCode, signal: child.signalCode, out, error }),
    );
  });
}

// Capabilities that are required for `agents.user`; each case runs for the user who can show it.
const lacking = asRoot
  ? [
      ['switch users', 'setuid', /cannot run processes as that user\. .*Start svc as root/],
      ['see them', 'sys_ptrace,-perfmon,-sys_admin', /cannot see .*\. Give svc CAP_SYS_PTRACE\.$/],
      ['end them', 'kill', /cannot end .*\. Give svc CAP_KILL\.$/],
    ]
  : [['switch users', '', /cannot run processes as that user\. .*Start svc as root/]];

describe(`a service with a user for agents, started ${WHO}`, () => {
  it.each([
    [
      'no user of the machine',
      'no-such-user',
      /is no-such-user, but this machine has no such user/,
    ],
    ['root', 'root', /must not be root/],
    ['root by its number', '0', /must not be root/],
    ['no name', '[a]', /agents\.user must be the name or the number of a user/],
  ])('does not start when it is %s, and reports why', (_, user, words) =>
    withHome(async (home) => {
      const { code, out, error } = await start(home, user);
      expect(error.trim()).toMatch(words);
      expect([code, out, error.trim().split('\n').length]).toEqual([1, '', 1]);
    }),
  );

  it.each(lacking)(
    'does not start when it may not %s, and names what is missing',
    (_, capability, words) =>
      withHome(async (home) => {
        const drop = ['setpriv', `--bounding-set=-${capability}`, '--'];
        const { code, out, error } = await start(home, 'daemon', capability === '' ? [] : drop);
        expect(error.trim()).toMatch(/^svc: agents\.user is daemon, but svc cannot /);
        expect(error.trim()).toMatch(words);
        expect([code, out, error.trim().split('\n').length]).toEqual([1, '', 1]);
      }),
  );

  // Only root can change the owner of a file; for other users the start fails before owners are checked.
  it.each(['.', 'projects', 'data', 'svc.config.yaml'])(
    `does not start when that user ${asRoot ? 'owns %s' : 'is not available: %s'}`,
    (path) =>
      withHome(async (home) => {
        mkdirSync(join(home.home, 'projects'));
        home.write('data/x', '');
        home.write('svc.config.yaml', '');
        if (asRoot) chownSync(join(home.home, path), DAEMON, DAEMON);
        const { code, error } = await start(home, 'daemon');
        expect(error).toMatch(/^svc: agents\.user is daemon, /);
        expect(error.includes(`who owns ${join(home.home, path)} `)).toBe(asRoot);
        expect(code).toBe(1);
      }),
  );
});
