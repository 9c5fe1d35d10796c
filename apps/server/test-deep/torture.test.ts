import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Finished } from '../test/harness.ts';
import { runTorture } from './run-torture.ts';

jest.setTimeout(600_000);

// Each of them mostly waits.
const PLANTS = {
  twice: /^ {2}duplicate: .* has the slot /m,
  again: /^ {2}(duplicate: its agent started 2 times|wrong: its agent worked: )/m,
  dropped: /^ {2}lost: no row has the slot /m,
  idle: /^ {2}wrong: it succeeded, and its agent never worked: /m,
  optimistic: /^ {2}wrong: it succeeded, and its agent (never worked|did not finish): /m,
  miscounted: /^ {2}wrong: a row counts \d+ slots of \d+: /m,
  punctual: /^ {2}late: it reports 0 ms late, /m,
  forgetful: /^ {2}(lost: |wrong: an agent worked for a run without a row: )/m,
};

const folder = mkdtempSync(join(tmpdir(), 'svc-torture-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [['--kills', 'many'], '--kills takes a whole number from 1, not many.'],
  [['--parallel', '0'], '--parallel takes a whole number from 1, not 0.'],
  [['--plant', 'rose'], /--plant takes twice, .*, not rose\./],
  [
    ['--resume', '/nowhere'],
    '--resume finds no progress.json in /nowhere: start there with --dir.',
  ],
  [['--forever'], "Unknown option '--forever'."],
])('invalid arguments create nothing: %j', async (args, says) => {
  const { code, out, error } = await runTorture(args);
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(says);
  expect(error).toMatch(/^torture: .* See --help\.\n$/);
});

describe('a real server that is killed 50 times, with faults and changed clocks', () => {
  // proves: torture.rows, torture.agents
  it('loses and duplicates no slot, and every row is correct', async () => {
    const dir = join(folder, 'short');
    const args = ['--kills', '50', '--per-round', '17', '--parallel', '3', '--quick', '--dir', dir];
    const { code, out } = await runTorture(args);
    expect(out).toMatch(/^5\d kills, .*; lost 0, duplicate 0, late 0, wrong 0$/m);
    expect(code).toBe(0);
    expect(existsSync(join(dir, 'progress.json'))).toBe(true);
  });
});

describe('the checker finds a planted fault', () => {
  let found: ReadonlyMap<string, Finished>;
  beforeAll(async () => {
    const left = Object.keys(PLANTS);
    const ends = new Map<string, Finished>();
    const lane = async (): Promise<void> => {
      for (let plant = left.shift(); plant !== undefined; plant = left.shift()) {
        const args = ['--plant', plant, '--quick', '--round', '0', '--per-round', '3'];
        ends.set(plant, await runTorture([...args, '--dir', join(folder, plant)]));
      }
    };
    await Promise.all([lane(), lane(), lane()]);
    found = ends;
  });

  // proves: torture.plants
  it.each(Object.entries(PLANTS))('%s', (name, finding) => {
    const { code, out } = found.get(name) as Finished;
    expect(out).toMatch(finding);
    expect(code).toBe(1);
  });
});
