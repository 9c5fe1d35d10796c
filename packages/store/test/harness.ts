import { readFileSync } from 'node:fs';
import { newId } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import type { Capability, SlotClaim, TriggerKey } from '@svc/records';
import { openStore, type Store, type TurnOpening } from '@svc/store';
import { type Place, withFile, withPlace } from './database.ts';

export const T0 = Date.parse('2026-03-01T09:00:00.000Z');
export const key: TriggerKey = { project: 'demo', source: 'trigger', name: 'nightly' };

const capability: Capability = {
  runsAs: 'agent',
  agentName: 'trigger-demo-nightly',
  tools: ['Read'],
  permissionMode: 'default',
  maxTurns: 30,
  maxSpawnDepth: 0,
};

export { withFile } from './database.ts';

const open = (place: Place): Promise<Store> =>
  openStore({ clock: createFakeClock(T0) }, { ...place, version: '0.0.0' });

/** A store over a database of the kind that is tested. */
export function withStore(test: (store: Store) => Promise<void>): Promise<void> {
  return withPlace(async (place) => {
    const store = await open(place);
    try {
      await test(store);
    } finally {
      await store.close();
    }
  });
}

/** A store over a file, whatever kind is tested. */
export function withFileStore(test: (store: Store, file: string) => Promise<void>): Promise<void> {
  return withFile(async (file) => {
    const store = await open({ file });
    try {
      await test(store, file);
    } finally {
      await store.close();
    }
  });
}

const OLD = new URL('version-018.sql', import.meta.url);

/** Makes a file as an earlier version has written it: two runs of one step, and a copy of the second with a question. */
export async function oldDatabase(file: string) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const db = new DatabaseSync(file);
  db.exec(readFileSync(OLD, 'utf8'));
  return db;
}

export function arming(at: number, of: TriggerKey = key) {
  const cursor = { scheduleHash: 'h1', anchor: at, armedSince: at, cursor: at };
  return { key: of, cursor, definitionHash: 'd1' };
}

export function slot(at: number, changes: Partial<SlotClaim> = {}): SlotClaim {
  return {
    key,
    scheduleHash: 'h1',
    as: 'run',
    from: at,
    until: at,
    count: 1,
    claimedAt: at + 5,
    lateMs: 5,
    catchUp: false,
    reason: null,
    ...changes,
  };
}

export function missed(from: number, until: number, count: number): SlotClaim {
  return slot(from, { as: 'missed', until, count, reason: 'The service was not running.' });
}

export function opening(changes: Partial<TurnOpening> = {}): TurnOpening {
  const sessionId = changes.sessionId ?? newId();
  return {
    turnId: newId(),
    sessionId,
    project: 'demo',
    prompt: 'Do it.',
    capability,
    depth: 0,
    parentTurn: null,
    timeoutMs: 60_000,
    at: T0,
    chat: {
      sessionId,
      project: 'demo',
      name: 'nightly',
      origin: 'trigger',
      triggerName: 'nightly',
      by: null,
      capability,
      model: null,
      runtime: 'native',
      forkedFrom: null,
      depth: 0,
    },
    run: null,
    owner: null,
    messages: [{ role: 'user', kind: 'text', text: 'Do it.', tool: null }],
    ...changes,
  };
}

export const ending = {
  outcome: 'succeeded',
  reason: null,
  turns: 2,
  toolCalls: 1,
  toolErrors: 1,
  denied: [],
  sandbox: 'enforced',
  network: {
    reached: [{ host: 'api.github.com', port: 443, count: 3 }],
    refused: [
      { host: '2001:db8::1', port: 22, count: 1, reason: 'The host is not in the allow-list.' },
    ],
  },
  model: 'playbook',
  tokensIn: null,
  tokensOut: null,
  costMicrousd: null,
} as const;
