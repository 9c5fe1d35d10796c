import { describe, expect, it, jest } from '@jest/globals';
import { type Running, until, withHome } from '../test/harness.ts';
import { killAt } from './kill-at.ts';

jest.setTimeout(120_000);

const DEMO = '/api/projects/demo';
const FAILS = `triggers:
  fails:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nexit 1\\n\`\`\`", tools: [Bash] }
    enabled: true
    policy: { pauseAfterFailures: 3 }
`;

async function fire(server: Running): Promise<void> {
  const { body } = await server.send('POST', `${DEMO}/triggers/fails/run`);
  const { runId } = body as { runId: string };
  await until(async () => {
    const { body: run } = await server.get(`${DEMO}/runs/${runId}`);
    return (run as { state: string }).state === 'ended';
  });
}

async function isPaused(server: Running): Promise<boolean> {
  const { body } = await server.get(`${DEMO}/triggers/runtime`);
  return (body as { runtime: { paused: boolean }[] }).runtime[0]?.paused === true;
}

describe('killed with SIGKILL while failures are counted', () => {
  // proves: pausing.failures.kill
  it.each([
    ['before the turn starts', 1],
    ['after the turn starts', 0],
    ['before the final write', 0],
    ['after the final write', 1],
  ])('%s: the run counts by its final outcome (%d)', (point, counted) =>
    withHome(async (home) => {
      home.write('projects/demo/project.yaml', FAILS);
      const first = await home.serve();
      await fire(first);
      await first.stop();
      await killAt(home, point, `${DEMO}/triggers/fails/run`);
      const server = await home.serve();
      const outcomes = async (): Promise<readonly (string | null)[]> => {
        const { body } = await server.get(`${DEMO}/runs`);
        return (body as { runs: { outcome: string | null }[] }).runs.map(({ outcome }) => outcome);
      };
      await until(async () => (await outcomes()).every((outcome) => outcome !== null));
      expect(await outcomes()).toEqual([counted === 1 ? 'failed' : 'interrupted', 'failed']);
      for (let n = counted; n < 2; n += 1) {
        expect(await isPaused(server)).toBe(false);
        await fire(server);
      }
      expect(await isPaused(server)).toBe(true);
    }),
  );
});
