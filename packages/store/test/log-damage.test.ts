import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { isLogDamaged } from '../src/sqlite/log-damage.ts';

const FRAME = 24 + 4096;
let log: Buffer;

// A log as SQLite writes it: some transactions of one frame, and a last one of many.
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
  const db = new DatabaseSync(join(folder, 'x.db'));
  db.exec('pragma locking_mode=exclusive; pragma journal_mode=wal; create table t(a)');
  for (let n = 0; n < 4; n += 1) db.exec(`insert into t values (${n})`);
  db.exec(`insert into t select zeroblob(3000) from (values (1), (2), (3), (4), (5))`);
  log = readFileSync(join(folder, 'x.db-wal'));
  db.close();
  rmSync(folder, { recursive: true });
});

/** The log with its bytes overwritten from one place to another. */
function spoilt(from: number, to: number, byte = 7): Buffer {
  return Buffer.from(log).fill(byte, from, to);
}

const lastOf = (frames: number): number => log.length - frames * FRAME;

describe('the log of a database', () => {
  it('is not damaged as it is written, nor while there is none', () => {
    expect(isLogDamaged(log)).toBe(false);
    expect(isLogDamaged(Buffer.alloc(0))).toBe(false);
  });

  it('is not damaged wherever its writing was cut off', () => {
    for (let end = 0; end <= log.length; end += 512) {
      expect([end, isLogDamaged(log.subarray(0, end))]).toEqual([end, false]);
    }
  });

  it('is not damaged when sectors of its last transaction are missing', () => {
    for (let at = lastOf(4); at < log.length; at += 512) {
      expect([at, isLogDamaged(spoilt(at, Math.min(at + 512, log.length), 0))]).toEqual([
        at,
        false,
      ]);
    }
  });

  it.each([
    ['its head', 0, 32],
    ['the sum of its head', 24, 25],
    ['its first frame', 32, 40],
    ['a page of a transaction before the last', 32 + FRAME + 100, 32 + FRAME + 101],
  ])('is damaged when something has overwritten %s', (_, from, to) => {
    expect(isLogDamaged(spoilt(from, to))).toBe(true);
  });
});
