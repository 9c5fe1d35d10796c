import { expect } from '@jest/globals';
import type { Run } from '@svc/records';
import { type Running, type TestHome, until } from '../test/harness.ts';

/** A project with a trigger that fires every second; its agent writes a line for each run to a file next to the home. */
export function beating(home: TestHome, more = ''): string {
  return `triggers:
  it:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\necho $SVC_RUN_ID >> ${notesOf(home)}; ${more}\\n\`\`\`", tools: [Bash] }
    enabled: true
`;
}

function notesOf({ home }: TestHome): string {
  return `${home}/begun`;
}

export async function runsOf(server: Running): Promise<readonly Run[]> {
  const { body } = await server.get('/api/projects/demo/runs?limit=200');
  return (body as { runs: Run[] }).runs;
}

/** Waits until a slot after this call has succeeded. */
export async function beats(server: Running): Promise<void> {
  const since = new Date().toISOString();
  await until(async () =>
    (await runsOf(server)).some(
      ({ scheduledFor, outcome }) => (scheduledFor ?? '') > since && outcome === 'succeeded',
    ),
  );
}

/** Compares the rows with the lines of the agents, and every slot with its rows. */
export async function expectConsistent(home: TestHome, server: Running): Promise<readonly Run[]> {
  // A run can start between the two reads: each earlier line has a row, and each succeeded row has a line.
  const linesBefore = linesOf(home);
  const runs = await runsOf(server);
  const lines = linesOf(home);
  expect(new Set(lines).size).toBe(lines.length);
  const known = new Set(runs.map(({ id }) => id));
  expect(linesBefore.filter((line) => !known.has(line))).toEqual([]);
  const silent = runs.filter(({ id, outcome }) => outcome === 'succeeded' && !lines.includes(id));
  expect(silent).toEqual([]);
  const slots = runs
    .filter(({ cause }) => cause === 'schedule')
    .map((run) => ({ ...run, from: ms(run.scheduledFor), to: ms(run.scheduledUntil) }))
    .sort((a, b) => a.from - b.from);
  for (const [n, { from, to, slotCount }] of slots.entries()) {
    expect(slotCount).toBe((to - from) / 1000 + 1);
    const before = slots[n - 1];
    if (before !== undefined) expect(new Date(from)).toEqual(new Date(before.to + 1000));
  }
  return runs;
}

function linesOf(home: TestHome): string[] {
  return home.tryRead('begun').split('\n').filter(Boolean);
}

function ms(text: string | null): number {
  return Date.parse(text ?? '');
}

/** Waits for readiness with this status; returns its reason. */
export function readiness(server: Running, status: number): Promise<string> {
  return until(async () => {
    const answer = await server.get('/readyz');
    return answer.status === status && ((answer.body as { reason?: string }).reason ?? 'ready');
  });
}

/** How many log lines have this message. */
export function countLogged(server: Running, words: string): number {
  return server.lines.filter(({ msg }) => String(msg).includes(words)).length;
}
