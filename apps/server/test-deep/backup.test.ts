import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { examineFile } from '@svc/store';
import { openHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(180_000);

const TRIGGERS = 50;
const BACKUPS = 5;
const STEP = '```bash\\necho fired\\n```';
const PROJECT = `triggers:
${Array.from(
  { length: TRIGGERS },
  (_, n) => `  each-${n}:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "${STEP}", tools: [Bash] }
    enabled: true
`,
).join('')}keeper: { runtime: native }
`;

interface Run {
  readonly id: string;
  readonly trigger: string;
  readonly startedAt: string | null;
  readonly outcome: string | null;
}

/** Queries for inconsistencies in a database, by name. */
function disagreements(file: string): Record<string, unknown> {
  const db = new DatabaseSync(file, { readOnly: true });
  const count = (what: string) =>
    db.prepare(`select count(*) as count from ${what}`).get()?.['count'];
  const found = {
    runs: count('run'),
    'turns of runs that are not there': count(
      'turn where run_id is not null and run_id not in (select id from run)',
    ),
    'ended runs whose turn has not ended': count(
      `run join turn on turn.run_id = run.id where run.state = 'ended' and turn.state <> 'ended'`,
    ),
    'turns without their chat': count('turn where session_id not in (select session_id from chat)'),
    'messages without their chat or text': count(
      'message_ref where chat not in (select nr from chat) or content not in (select id from content)',
    ),
    'texts that are counted wrong': count(
      `(select id from content where refs < (select count(*) from message_ref where content = content.id))`,
    ),
    'chats with another number of messages': count(
      'chat where message_count <> pruned_count + (select count(*) from message_ref where chat = chat.nr)',
    ),
  };
  db.close();
  return found;
}

describe('a backup of a server with firing triggers', () => {
  // proves: backup.firing
  it('does not delay the server, is consistent when restored, and starts paused', () =>
    withHome(async (home) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
      home.write('svc.config.yaml', 'limits: { concurrentTurns: 50, minIntervalMs: 1000 }\n');
      home.write('projects/demo/project.yaml', PROJECT);
      const server = await home.serve();
      const runs = async (): Promise<readonly Run[]> =>
        ((await server.get('/api/runs?limit=200')).body as { runs: Run[] }).runs;
      await until(async () => (await runs()).length >= TRIGGERS);
      const answers: number[] = [];
      for (let n = 0; n < BACKUPS; n += 1) {
        let isDone = false;
        const made = home.run('backup', join(folder, `${n}.tar.gz`)).finally(() => {
          isDone = true;
        });
        let count = 0;
        while (!isDone) {
          await server.get('/api/status');
          count += 1;
        }
        answers.push(count);
        expect(await made).toMatchObject({ code: 0, error: '' });
      }
      const after = await runs();
      await server.stop();
      for (let n = 0; n < BACKUPS; n += 1) await checkRestored(join(folder, `${n}.tar.gz`), after);
      // A server that waits for a backup answers once in the meantime.
      expect(Math.min(...answers)).toBeGreaterThan(1);
      rmSync(folder, { recursive: true });
    }));
});

async function checkRestored(file: string, known: readonly Run[]): Promise<void> {
  const other = openHome();
  try {
    expect(await other.run('restore', file)).toMatchObject({ code: 0 });
    const database = join(other.home, 'data/svc.db');
    expect(examineFile(database)).toMatchObject({ fault: null });
    const { runs: count, ...wrong } = disagreements(database);
    expect(count).toBeGreaterThanOrEqual(TRIGGERS);
    expect(Object.entries(wrong).filter(([, found]) => found !== 0)).toEqual([]);
    const since = new Date().toISOString();
    const server = await other.serve();
    const page = (await server.get('/api/runs?limit=200')).body as { runs: Run[] };
    const { runs } = page;
    const ended = new Map(known.map((run) => [run.id, run]));
    // Turns that were running during the backup are interrupted or missed.
    const finished = runs.filter(({ id, outcome }) => ended.has(id) && outcome === 'succeeded');
    expect(finished.map(({ id }) => ended.get(id)?.outcome)).toEqual(
      finished.map(() => 'succeeded'),
    );
    await until(async () => {
      const now = (await server.get('/api/runs?limit=200')).body as { runs: Run[] };
      return now.runs.some(({ outcome }) => outcome === 'skipped_paused');
    });
    const later = (await server.get('/api/runs?limit=200')).body as { runs: Run[] };
    const started = later.runs.filter(({ startedAt }) => startedAt !== null && startedAt > since);
    expect(started).toEqual([]);
    await server.stop();
  } finally {
    await other.close();
  }
}
