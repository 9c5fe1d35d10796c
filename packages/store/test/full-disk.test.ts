import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const CHILD = new URL('full-disk-child.mjs', import.meta.url).pathname;
const REASON = 'The disk is full. Free some space; svc recovers automatically.';
const FULL = `unavailable: ${REASON}`;

// In a process of its own: the tests have files to write too.
let seen: Record<string, unknown>;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
  const child = spawnSync(process.execPath, [CHILD, join(folder, 'svc.db')], { encoding: 'utf8' });
  seen = JSON.parse(child.stdout);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a full disk', () => {
  it('is reported in words, whatever was being written', () => {
    expect(seen).toMatchObject({ before: ['fine', 'fine'], full: [FULL, FULL, FULL] });
  });

  it('is looked at again every few seconds, not on each call, until there is room', () => {
    expect(seen).toMatchObject({ stillFull: [FULL, 1], notLookedYet: FULL });
    expect(seen).toMatchObject({ after: ['fine', 'fine', 0] });
  });

  it('is logged once, and so is its end', () => {
    const logged = [
      ['error', 'database unavailable', { fault: 'full', reason: REASON }],
      ['info', 'database writable again', {}],
    ];
    expect(seen).toMatchObject({ lines: [...logged, logged[0]] });
  });

  it('leaves no timer behind when the store is closed', () => {
    expect(seen).toMatchObject({ closed: 0 });
  });
});
