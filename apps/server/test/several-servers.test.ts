import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';
import type { FileLocks } from '@svc/projects';
import type { HeardSignal, Signals } from '@svc/store';
import type { Alerting } from '../src/alerting.ts';
import { noteNode } from '../src/earlier-node.ts';
import { createLedAlerting } from '../src/led-alerting.ts';
import { createSharedLocks } from '../src/shared-locks.ts';

describe('a lock that several servers know of', () => {
  const files = (isHeld: () => boolean, told: string[]): FileLocks => ({
    async take(file) {
      if (file.includes('broken')) throw new Error('The disk is full.');
      told.push(`file ${file}`);
      return { isHeld, release: async () => void told.push('file released') };
    },
    tryTake: async () => ({ ok: false, error: { pid: 1 } }),
    async sweep() {},
  });
  const names = (lost: { is: boolean }, told: string[]) => ({
    async take(name: string) {
      told.push(name);
      return {
        get isHeld() {
          return !lost.is;
        },
        release: async () => void told.push('name released'),
      };
    },
  });

  // proves: nodes.locked-edits
  it('is held in the database and in the file, and lost with either', async () => {
    const told: string[] = [];
    const lost = { is: false };
    let isHeld = true;
    const locks = createSharedLocks(
      files(() => isHeld, told),
      names(lost, told),
    );
    const lock = await locks.take('/projects/.locks/demo.lock');
    expect(lock.isHeld()).toBe(true);
    lost.is = true;
    expect(lock.isHeld()).toBe(false);
    lost.is = false;
    isHeld = false;
    expect(lock.isHeld()).toBe(false);
    await lock.release();
    expect(told).toEqual([
      ...['file demo.lock', 'file /projects/.locks/demo.lock'],
      ...['file released', 'name released'],
    ]);
  });

  it('is given back in the database where the file cannot be locked', async () => {
    const told: string[] = [];
    const locks = createSharedLocks(
      files(() => true, told),
      names({ is: false }, told),
    );
    await expect(locks.take('/projects/.locks/broken.lock')).rejects.toThrow('The disk is full.');
    expect(told).toEqual(['file broken.lock', 'name released']);
  });
});

describe('alerts of one of several servers', () => {
  // proves: nodes.leader-alerts
  it('begin where it leads, end where it does not, and begin again', async () => {
    const told: string[] = [];
    let made = 0;
    const create = (): Alerting => {
      made += 1;
      const name = String(made);
      return {
        port: {
          standing: async () => ({ sinks: [], heartbeat: null }),
          test: async () => ({ at: '', ok: true, error: name }),
        },
        start: async () => void told.push(`${name} starts`),
        happened: () => void told.push(`${name} hears`),
        tried: async () => void told.push(`${name} is tried`),
        waiting: async () => made,
        close: async () => void told.push(`${name} ends`),
      };
    };
    let leads = false;
    let changed = (): void => {};
    const sent: (string | null)[] = [];
    let hear = (_heard: HeardSignal): void => {};
    const signals: Signals = {
      send: ({ kind = null }) => void sent.push(kind),
      subscribe(on) {
        hear = on;
        return () => {};
      },
    };
    const lead = { leads: () => leads, onLead: (on: () => void) => (changed = on), signals };
    const alerting = createLedAlerting(create, lead, createMemoryLogger());
    await alerting.start();
    expect(told).toEqual([]);
    alerting.happened();
    expect(sent).toEqual(['alerts.happened']);
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    for (const now of [true, true, false, true]) {
      leads = now;
      changed();
      await settle();
    }
    alerting.happened();
    hear({ kind: 'alerts.happened' });
    const all = ['1 starts', '1 ends', '2 starts', '2 hears', '2 hears'];
    expect(told).toEqual(all);
    expect(await alerting.port?.test('any')).toMatchObject({ error: '2' });
    await alerting.close();
    expect(told.at(-1)).toBe('2 ends');
  });
});

const USE = { database: 'postgres://svc:***@db/svc', projects: '/projects' };

describe('the id under which a home uses a shared database', () => {
  // proves: nodes.copied-home
  it('is kept for its next life, but not for a copy of the home, and a text that is none counts as none', async () => {
    const data = mkdtempSync(join(tmpdir(), 'svc-node-'));
    const [first, second] = [newId(), newId()];
    expect(await noteNode({ data }, first, USE)).toBeNull();
    expect(await noteNode({ data }, second, USE)).toBe(first);
    const copy = mkdtempSync(join(tmpdir(), 'svc-node-'));
    cpSync(data, copy, { recursive: true });
    expect(await noteNode({ data: copy }, newId(), USE)).toBeNull();
    writeFileSync(join(data, 'node.json'), 'half');
    expect(await noteNode({ data }, newId(), USE)).toBeNull();
    for (const folder of [data, copy]) rmSync(folder, { recursive: true });
  });
});
