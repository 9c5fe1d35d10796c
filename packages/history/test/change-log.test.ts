import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRedactor } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';
import { definitionHash, definitionsOf, USER } from '@svc/engine';
import { type ChangeLog, createChangeLog } from '@svc/history';
import type { ProjectSnapshot } from '@svc/projects';
import { openStore, type Store } from '@svc/store';
import { parseProject } from '@svc/trigger-schema';

const T0 = Date.parse('2026-03-01T09:00:00.000Z');

function snapshot(body: string): ProjectSnapshot {
  const parsed = parseProject(`triggers:\n${body}`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return { slug: 'demo', file: parsed.value, faults: [] } as unknown as ProjectSnapshot;
}

const entry = (prompt: string, cron = '0 3 * * *'): string =>
  `  nightly: { trigger: { type: schedule, cron: "${cron}" }, run: { prompt: ${prompt} } }\n`;

describe('the change log', () => {
  let folder: string;
  let store: Store;
  let log: ChangeLog;
  const clock = createFakeClock(T0);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-history-'));
    store = await openStore({ clock }, { file: join(folder, 'svc.db'), version: '0' });
    log = createLog();
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const createLog = () =>
    createChangeLog(
      { store, clock, projects: { writtenAt: () => T0 - 1000 } as never },
      createRedactor(() => ['open sesame']),
      { isShared: false },
    );
  const saw = (body: string) => log.recordDefinitions('demo', snapshot(body));
  const changes = async () =>
    (
      await store.changes.page(
        { project: 'demo', source: 'trigger', name: 'nightly' },
        { limit: 50 },
      )
    ).changes;

  it('records an edit of the file with its fields, and nothing for the same file', async () => {
    await saw(entry('Do it.'));
    await saw(entry('Do it.', '0 4 * * *'));
    await saw(entry('Do it.', '0 4 * * *'));
    const [newest, oldest, ...others] = await changes();
    expect(others).toEqual([]);
    expect(oldest).toMatchObject({ kind: 'defined', via: 'file', by: null });
    expect(newest).toMatchObject({
      ...{ kind: 'changed', via: 'file', writtenAt: '2026-03-01T08:59:59.000Z' },
      fields: [{ field: 'trigger.cron', from: '0 3 * * *', to: '0 4 * * *' }],
    });
  });

  it('names the caller that announced a change, also after a restart', async () => {
    await saw(entry('Do it.'));
    const file = snapshot(entry('Do more.')).file;
    const [definition] = file === null ? [] : definitionsOf('demo', file);
    if (definition === undefined) throw new Error('There is no definition.');
    const caller = { ...USER, actor: { kind: 'user', id: 'ann' }, face: 'page' } as const;
    await log.announce(caller, definition.key, definitionHash(definition.record));
    log = createLog();
    await saw(entry('Do more.'));
    expect((await changes())[0]).toMatchObject({ kind: 'changed', via: 'page', by: 'ann' });
  });

  it('records an invalid entry with the error, without secrets, and its removal', async () => {
    await saw(entry('Do it.'));
    await saw(entry('Do it.', 'open sesame'));
    await saw('  other: { trigger: { type: event, on: onArchive }, run: { prompt: x } }\n');
    const [removed, invalid] = await changes();
    expect(removed?.kind).toBe('removed');
    expect(invalid?.kind).toBe('invalid');
    expect(invalid?.reason).toContain('cron');
    expect(invalid?.reason).not.toContain('open sesame');
  });
});
