import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { createMemoryLogger } from '@svc/core/testing';
import type { HeardSignal, Signals } from '@svc/store';
import type { Alerting } from '../src/alerting.ts';
import { recordUse } from '../src/last-use.ts';
import { createLeaderAlerting } from '../src/leader-alerting.ts';

describe('alerts in a cluster', () => {
  // proves: nodes.leader-alerts
  it('start when this server becomes leader, stop when it loses the lead, and start again', async () => {
    const events: string[] = [];
    let made = 0;
    const create = (): Alerting => {
      made += 1;
      const name = String(made);
      return {
        port: {
          standing: async () => ({ sinks: [], heartbeat: null }),
          test: async () => ({ at: '', ok: true, error: name }),
        },
        start: async () => void events.push(`${name} starts`),
        happened: () => void events.push(`${name} hears`),
        tried: async () => void events.push(`${name} is tried`),
        waiting: async () => made,
        close: async () => void events.push(`${name} ends`),
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
    const alerting = createLeaderAlerting(create, lead, createMemoryLogger());
    await alerting.start();
    expect(events).toEqual([]);
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
    expect(events).toEqual(all);
    expect(await alerting.port?.test('any')).toMatchObject({ error: '2' });
    await alerting.close();
    expect(events.at(-1)).toBe('2 ends');
  });
});

const USE = { database: 'postgres://svc:***@db/svc', projects: '/projects' };

describe('the server id of a home in a shared database', () => {
  // proves: nodes.copied-home
  it('survives a restart, is not copied with the home, and is replaced when the stored text is invalid', async () => {
    const data = mkdtempSync(join(tmpdir(), 'svc-node-'));
    const [first, second] = [newId(), newId()];
    expect(await recordUse({ data }, first, USE)).toBeNull();
    expect(await recordUse({ data }, second, USE)).toBe(first);
    const copy = mkdtempSync(join(tmpdir(), 'svc-node-'));
    cpSync(data, copy, { recursive: true });
    expect(await recordUse({ data: copy }, newId(), USE)).toBeNull();
    writeFileSync(join(data, 'node.json'), 'half');
    expect(await recordUse({ data }, newId(), USE)).toBeNull();
    for (const folder of [data, copy]) rmSync(folder, { recursive: true });
  });
});
