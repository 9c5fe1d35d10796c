import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import type { Run } from '@svc/records';
import { type Running, type TestHome, until, withHome } from '../test/harness.ts';

jest.setTimeout(120_000);

const LIBRARY = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((file) => existsSync(file));
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

// One line for each turn that has started to work.
const PROJECT = `triggers:
  second:
    trigger: { type: schedule, interval: 1s }
    run: { prompt: "\`\`\`bash\\necho $SVC_RUN_ID >> begun.log\\n\`\`\`" }
    enabled: true
  hourly:
    trigger: { type: schedule, interval: 1h }
    run: { prompt: "\`\`\`bash\\necho $SVC_RUN_ID >> begun.log\\n\`\`\`" }
    enabled: true
`;

/** A server with a wall clock that the test sets, while its monotonic clock is unaffected. */
interface Clocked {
  readonly server: Running;
  /** Sets the wall clock to this many milliseconds from the real time. */
  set(offsetMs: number): void;
  now(): number;
}

async function withClock(test: (clocked: Clocked, home: TestHome) => Promise<void>) {
  if (LIBRARY === undefined) {
    throw new Error('libfaketime is missing: apt-get install libfaketime (.ci/run does).');
  }
  await withHome(async (home) => {
    home.write('projects/demo/project.yaml', PROJECT);
    const file = join(home.home, 'clock');
    let offset = 0;
    const set = (offsetMs: number): void => {
      offset = offsetMs;
      writeFileSync(file, `${offset < 0 ? '-' : '+'}${Math.abs(offset) / 1000}`);
    };
    set(0);
    const server = await home.serve({
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    await test({ server, set, now: () => Date.now() + offset }, home);
  });
}

async function runsOf(server: Running, trigger: string): Promise<Run[]> {
  const runs: Run[] = [];
  for (let cursor = ''; ; ) {
    const path = `/api/projects/demo/triggers/${trigger}/runs?limit=200${cursor}`;
    const page = (await server.get(path)).body as { runs: Run[]; next: string | null };
    runs.push(...page.runs);
    if (page.next === null) break;
    cursor = `&cursor=${page.next}`;
  }
  return runs.sort((a, b) => slotOf(a) - slotOf(b));
}

function slotOf({ scheduledFor }: Run): number {
  return Date.parse(scheduledFor ?? '');
}

interface Runtime {
  readonly name: string;
  readonly reason?: string;
  readonly nextFire: string;
  readonly clock?: { readonly aheadUntil: string; readonly silentUntil: string | null };
}

async function stateOf(server: Running, trigger: string): Promise<Runtime> {
  const { body } = await server.get('/api/projects/demo/triggers/runtime');
  const found = (body as { runtime: Runtime[] }).runtime.find(({ name }) => name === trigger);
  if (found === undefined) throw new Error(`${trigger} has no state.`);
  return found;
}

/** Waits until some slots of a period have been started. */
async function ran({ server }: Clocked, from: number, to: number, count = 2): Promise<void> {
  await until(async () => {
    const runs = await runsOf(server, 'second');
    const inside = runs.filter((run) => run.startedAt !== null && slotOf(run) > from);
    return inside.filter((run) => slotOf(run) < to).length >= count;
  });
}

/** Every past slot of the 1 s trigger is in exactly one row. */
async function expectCovered({ server, now }: Clocked): Promise<void> {
  const passed = now();
  const rows = (await runsOf(server, 'second')).filter((run) => slotOf(run) <= passed);
  let next = slotOf(rows[0] as Run);
  for (const { scheduledFor, scheduledUntil, slotCount, outcome } of rows) {
    const row = { scheduledFor, outcome };
    expect({ ...row, from: Date.parse(scheduledFor ?? '') }).toEqual({ ...row, from: next });
    next = Date.parse(scheduledUntil ?? '') + 1000;
    expect({ ...row, slotCount: slotCount * 1000 }).toEqual({
      ...row,
      slotCount: next - Date.parse(scheduledFor ?? ''),
    });
  }
}

function expectOnce(home: TestHome): void {
  const begun = home.read('projects/demo/begun.log').trim().split('\n');
  expect(new Set(begun).size).toBe(begun.length);
}

describe('the clock of a server', () => {
  // proves: firing.clock.back, firing.clock.silent
  it('is an hour ahead for some seconds: nothing runs twice, and slots that already ran are passed over', () =>
    withClock(async (clocked, home) => {
      const { server, set } = clocked;
      const start = Date.now();
      await ran(clocked, start - HOUR, start + HOUR / 2);
      set(HOUR);
      await ran(clocked, Date.now() + HOUR / 2, Date.now() + 2 * HOUR);
      const hourly = await until(async () => {
        const [run] = await runsOf(server, 'hourly');
        return run?.outcome === 'succeeded' && run;
      });
      set(0);
      const back = Date.now();
      await ran(clocked, back, back + HOUR / 2);
      const state = await stateOf(server, 'second');
      expect(Date.parse(state.nextFire)).toBeLessThan(back + HOUR / 2);
      expect(Date.parse(state.clock?.aheadUntil ?? '')).toBeGreaterThan(back + HOUR / 2);
      const resumesAt = new Date(slotOf(hourly) + HOUR).toISOString();
      const silent = await stateOf(server, 'hourly');
      expect(silent).toMatchObject({
        nextFire: resumesAt,
        clock: { aheadUntil: hourly.scheduledFor, silentUntil: resumesAt, canResume: true },
        reason: expect.stringContaining(`It fires again at ${resumesAt}.`),
      });
      const resume = '/api/projects/demo/triggers/hourly/resume';
      expect((await server.send('POST', resume)).body).toMatchObject({ resumed: true });
      const next = Date.parse((await stateOf(server, 'hourly')).nextFire);
      expect(next).toBeGreaterThan(back);
      expect(next).toBeLessThan(slotOf(hourly) + HOUR);
      await expectCovered(clocked);
      expectOnce(home);
    }));

  // proves: firing.clock.back
  it('is set back by a day and forward again: each slot is in one row', () =>
    withClock(async (clocked, home) => {
      const start = Date.now();
      await ran(clocked, start - HOUR, start + HOUR);
      clocked.set(-DAY);
      await ran(clocked, start - DAY - HOUR, start - DAY + HOUR);
      clocked.set(0);
      await ran(clocked, Date.now(), Date.now() + HOUR);
      await expectCovered(clocked);
      expectOnce(home);
    }));

  // proves: firing.clock.suspend
  it('advances while the process is suspended: passed slots are missed, in one row', () =>
    withClock(async (clocked, home) => {
      const { server, set } = clocked;
      await ran(clocked, 0, Date.now() + HOUR);
      const stopped = Date.now();
      server.process.kill('SIGSTOP');
      // As after sleep mode: hours have passed, and the timers of the process have not advanced.
      set(2 * HOUR);
      server.process.kill('SIGCONT');
      await ran(clocked, stopped + HOUR, stopped + 3 * HOUR);
      const runs = await runsOf(server, 'second');
      const [asleep] = runs.filter(({ slotCount }) => slotCount > 3600);
      expect(asleep).toMatchObject({
        outcome: 'missed',
        reason: 'The machine was asleep or its clock was set forward.',
      });
      await expectCovered(clocked);
      expectOnce(home);
    }));
});
