import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { callFilter } from '../src/adapters/call-filter.ts';
import { launchOf } from '../src/adapters/launch.ts';
import type { Sandbox } from '../src/index.ts';
import { inWorld, sh, users } from './world.ts';

const filter = callFilter(process.arch);
if (filter === null) throw new Error(`not checked: there is no filter for ${process.arch}`);
const { keyctl } = filter;
const [addKey, requestKey] = [keyctl - 2, keyctl - 1];
// -3 is the session keyring, -4 that of the user.
const USE = `
my ($type, $name, $text) = ('user', 'svc-test', 'x');
sub call { my $result = syscall(shift, @_); print $result == -1 ? "$!\\n" : "$result\\n" }
call(${addKey}, $type, $name, $text, 1, -3);
call(${requestKey}, $type, $name, 0 + 0, 0 + 0);
call(${keyctl}, 0, $_, 0) for -3, -4;
`;

async function run(
  sandbox: Sandbox,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = sandbox.spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

describe.each(users)('a sandbox of %s', (_name, user) => {
  it('has no access to the keyrings of the kernel', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const { output } = await run(sandbox, ['/usr/bin/perl', '-e', USE]);
      expect(output).toBe('Operation not permitted\n'.repeat(4));
    }));

  it('has no socket to the host of a virtual machine', () =>
    inWorld(user, async (world) => {
      const open = 'socket(my $s, $_, 1, 0) ? print "open\\n" : print "$!\\n" for 40, 2';
      const { output } = await run(await world.open(), ['/usr/bin/perl', '-e', open]);
      expect(output).toBe('Operation not permitted\nopen\n');
    }));

  it('has the filter in all its processes, also the first ones', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const { output } = await sh(sandbox, 'grep -hE "^Seccomp:" /proc/[0-9]*/status');
      const modes = output.split('\n').map((line) => line.split(/\s+/)[1]);
      expect(modes.length).toBeGreaterThanOrEqual(3);
      expect(new Set(modes)).toEqual(new Set(['2']));
    }));

  it('starts commands with their own environment and signals', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const env = {
        PATH: '/usr/bin:/bin',
        LC_ALL: 'xx_XX.UTF-8',
        PERL5OPT: '-Mmissing',
        PERL_BADLANG: '1',
        TEXT: 'two\nlines = ü',
      };
      const printed = await run(sandbox, ['/usr/bin/env', '-0'], env);
      const entries = printed.output.split('\0').filter((entry) => entry !== '');
      expect(entries.sort()).toEqual(
        Object.entries(env)
          .map(([name, value]) => `${name}=${value}`)
          .sort(),
      );
      const ignored = await run(sandbox, ['/bin/grep', 'SigIgn', '/proc/self/status']);
      expect(ignored.output).toBe('SigIgn:\t0000000000000000\n');
    }));

  it('reports how commands end', () =>
    inWorld(user, async (world) => {
      const sandbox = await world.open();
      const ends = [
        ['/bin/sh', '-c', 'exit 7'],
        ['/bin/sh', '-c', 'kill -9 $$'],
        ['/bin/sh', '-c', 'kill -TERM $$'],
        ['/nowhere/program'],
      ];
      const codes = await Promise.all(ends.map((command) => run(sandbox, command)));
      expect(codes.map(({ code }) => code)).toEqual([7, 137, 143, 127]);
      expect(codes[3]?.output).toBe('/nowhere/program: No such file or directory\n');
    }));
});

describe('a command on a machine without perl', () => {
  const endOf = (...command: [string, ...string[]]) => {
    const launch = launchOf(null, '/usr/bin/setsid', { command, env: { NAME: 'value' } });
    const [program, ...args] = launch.command;
    const { status, stdout } = spawnSync(program, args, { env: launch.env, encoding: 'utf8' });
    return { status, stdout };
  };

  it('has a session of its own, and the same ends', () => {
    expect(endOf('/usr/bin/env')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('NAME=value'),
    });
    const session = endOf('/bin/sh', '-c', 'cut -d" " -f6 /proc/$$/stat; echo $$').stdout;
    const [id, own] = session.trim().split('\n');
    expect(id).toBe(own);
    expect(endOf('/bin/sh', '-c', 'exit 7').status).toBe(7);
    expect(endOf('/bin/sh', '-c', 'kill -9 $$').status).toBe(137);
  });
});
