import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { until, withHome } from './harness.ts';

const PROJECT = `triggers:
  it:
    trigger: { type: schedule, interval: 1h }
    run:
      prompt: |
        \`\`\`write a.txt
        one
        \`\`\`

        \`\`\`write b.txt
        two
        \`\`\`
      tools: [Write]
`;

describe('the output of a turn', () => {
  it.each([
    ['filesPerTurn: 1', 'b.txt was not written: the turn has reached its limit of files'],
    ['bytesPerTurn: 7', 'b.txt was not written: its 4 bytes exceed the 3 bytes left for the turn'],
  ])('is limited by limits: { %s }', (limit, what) =>
    withHome(async (home) => {
      home.write('svc.config.yaml', `limits: { ${limit} }\n`);
      home.write('projects/demo/project.yaml', PROJECT);
      const server = await home.serve();
      const fired = await server.send('POST', '/api/projects/demo/triggers/it/run');
      const { runId } = fired.body as { runId: string };
      const run = await until(async () => {
        const { body } = await server.get(`/api/projects/demo/runs/${runId}`);
        const { state } = body as { state: string };
        return state === 'ended' ? (body as { outcome: string; reason: string }) : null;
      });
      expect(run.outcome).toBe('failed');
      expect(run.reason).toContain(what);
      expect(run.reason).toContain(`(limits.${limit})`);
      expect(existsSync(join(home.home, 'projects/demo/a.txt'))).toBe(true);
      expect(existsSync(join(home.home, 'projects/demo/b.txt'))).toBe(false);
    }),
  );
});
