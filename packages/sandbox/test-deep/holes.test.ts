import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { systemProgram } from '../src/index.ts';
import { inWorld, users } from './world.ts';

const BWRAP = systemProgram('bwrap') ?? '';

/** A program like bwrap that changes each of its arguments, before `--chdir`. */
async function withHole(changes: string, test: (program: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-hole-'));
  const program = join(folder, 'bwrap');
  await chmod(folder, 0o755);
  const rewrite = `for one; do shift; case "$one" in ${changes} esac; set -- "$@" "$one"; done`;
  await writeFile(program, `#!/bin/sh\n${rewrite}\nexec ${BWRAP} "$@"\n`, { mode: 0o755 });
  try {
    await test(program);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe.each(users)('the self-test of a host, as %s', (_, user) => {
  it('passes with a program that changes nothing', () =>
    withHole('never) ;;', (bwrap) =>
      inWorld(
        user,
        async ({ host }) => {
          expect(await host.support()).toMatchObject({ supported: true });
        },
        { bwrap },
      ),
    ));

  it.each([
    [
      'a mount too many',
      '--chdir) set -- "$@" --bind / /tmp/machine ;;',
      /unexpected mount \/tmp\/machine/,
    ],
    ['a mount too many in the project', '--chdir) set -- "$@" --bind /usr "$HOLE" ;;', /./],
    ['a kept capability', '--chdir) set -- "$@" --cap-add CAP_SYS_ADMIN ;;', /it keeps Cap/],
    ['a shared network', '--chdir) set -- "$@" --share-net ;;', /it shares the net namespace/],
    [
      'shared processes',
      '--unshare-all) set -- "$@" --unshare-user --unshare-ipc --unshare-net; one=--unshare-uts ;;',
      /it shares the pid namespace/,
    ],
    ['writable system folders', '--ro-bind) one=--bind ;;', /it can change/],
  ])('finds %s', (_name, changes, fault) =>
    withHole(changes.replace('"$HOLE"', '/tmp/hole'), (bwrap) =>
      inWorld(
        user,
        async ({ host }) => {
          expect(await host.support()).toMatchObject({
            supported: false,
            reason: expect.stringMatching(fault),
          });
        },
        { bwrap },
      ),
    ),
  );
});
