import { describe, expect, it, jest } from '@jest/globals';
import { until, withHome } from './harness.ts';

jest.setTimeout(60_000);

const PROJECT = `triggers:
  long:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`", tools: [Bash] }
    enabled: true
`;

describe('svc status', () => {
  // proves: cli.status
  it('says what runs, and what is paused, and nothing of servers where there is one', () =>
    withHome(async ({ write, run, serve }) => {
      write('projects/demo/project.yaml', PROJECT);
      const server = await serve();
      const idle = await run('status');
      expect(idle.code).toBe(0);
      expect(idle.out).toMatch(/^svc \S+ at http:\/\/127\.0\.0\.1:\d+\nNothing runs\.\n$/);
      await server.send('POST', '/api/projects/demo/triggers/long/run');
      await server.send('POST', '/api/pause', { reason: 'Moving.' });
      const busy = await until(async () => {
        const { out } = await run('status');
        return out.includes('Running: 1') && out;
      });
      expect(busy).toMatch(/^Everything is paused by user since .*: Moving\./m);
      expect(busy).toMatch(/^ {2}demo\/long, for \d+ s$/m);
      expect(busy).not.toContain('Servers');
    }));

  // proves: cli.status
  it('--json tells what GET /api/status tells', () =>
    withHome(async ({ run, serve }) => {
      const server = await serve();
      const { code, out } = await run('status', '--json');
      const told = JSON.parse(out) as { nodes: { heartbeatAt: string }[] };
      const { body } = await server.get('/api/status');
      const { nodes } = body as typeof told;
      const still = nodes.map((node) => ({ ...node, heartbeatAt: told.nodes[0]?.heartbeatAt }));
      expect([code, told]).toEqual([0, { ...(body as object), nodes: still }]);
    }));

  // proves: cli.status
  it('fails where no server runs', () =>
    withHome(async ({ write, run }) => {
      write('projects/demo/project.yaml', PROJECT);
      expect(await run('status')).toMatchObject({
        code: 1,
        error: expect.stringContaining('No server runs for this home'),
      });
      expect((await run('status', 'now')).code).toBe(2);
    }));
});
