import { describe, expect, it } from '@jest/globals';
import { limitFault } from '../src/limits.ts';
import { isWithin, mountArguments } from '../src/mounts.ts';

describe('the mounts of a sandbox', () => {
  it('are in order, so that none covers another, and read-only at last', () => {
    const args = mountArguments([
      { kind: 'writable', at: '/a/b/c', from: '/x' },
      { kind: 'temporary', at: '/dev', bytes: 7 },
      { kind: 'device', at: '/dev/null', from: '/dev/null' },
      { kind: 'hidden-folder', at: '/a/b' },
      { kind: 'read-only', at: '/a', from: '/a' },
      { kind: 'hidden-file', at: '/a/f' },
      { kind: 'link', at: '/l', target: 'usr' },
      { kind: 'folder', at: '/run' },
      { kind: 'processes', at: '/proc' },
    ]);
    expect(args.join(' ')).toBe(
      [
        ...['--ro-bind /a /a', '--size 7 --tmpfs /dev', '--symlink usr /l', '--proc /proc'],
        ...[
          '--dir /run',
          '--tmpfs /a/b',
          '--ro-bind /dev/null /a/f',
          '--dev-bind /dev/null /dev/null',
        ],
        ...['--bind /x /a/b/c', '--remount-ro /', '--remount-ro /dev', '--remount-ro /a/b'],
      ].join(' '),
    );
  });

  it('are replaced by later ones at the same path', () => {
    const args = mountArguments([
      { kind: 'read-only', at: '/a', from: '/one' },
      { kind: 'read-only', at: '/a', from: '/two' },
    ]);
    expect(args).toEqual(['--ro-bind', '/two', '/a', '--remount-ro', '/']);
  });

  it.each([
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/ab', '/a', false],
    ['/a', '/a/b', false],
    ['/a', '/', true],
  ])('%s is within %s: %s', (path, folder, within) => {
    expect(isWithin(path, folder)).toBe(within);
  });
});

describe('the limits of a sandbox', () => {
  const limits = { memoryBytes: 2 ** 20 * 100, processes: 20, cpuMs: 5000 };
  const usage = { memoryBytes: 2 ** 20 * 100, processes: 20, cpuMs: 5000 };

  it('may be reached', () => {
    expect(limitFault(usage, limits)).toBeNull();
    expect(limitFault({ ...usage, cpuMs: 1e9 }, { ...limits, cpuMs: null })).toBeNull();
  });

  it.each([
    [
      { memoryBytes: 2 ** 20 * 101 },
      'used 101 MiB of memory; the limit is 100 MiB (agents.sandbox.memory).',
    ],
    [
      { processes: 21 },
      'had 21 processes and threads; the limit is 20 (agents.sandbox.processes).',
    ],
    [{ cpuMs: 7000 }, 'used 7 s of CPU time; the limit is 5 s (agents.sandbox.cpuTime).'],
  ])('are not exceeded: %j', (more, reason) => {
    expect(limitFault({ ...usage, ...more }, limits)).toContain(reason);
  });
});
