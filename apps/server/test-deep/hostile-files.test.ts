import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { until, withHome } from '../test/harness.ts';

jest.setTimeout(300_000);

// The benchmark, which is not TypeScript, uses them too.
const shared = new URL('../bench/hostile-files.mjs', import.meta.url).href;
const { HOSTILE } = (await import(shared)) as { HOSTILE: Record<string, () => string> };

const BEAT = `triggers:
  beat:
    trigger: { type: schedule, interval: 2s }
    run: { prompt: "\`\`\`write beat.txt\\nx\\n\`\`\`", tools: [Write] }
    enabled: true
`;
const RECORD = {
  trigger: { type: 'schedule', cron: '0 3 * * *' },
  run: { prompt: 'Look.' },
  enabled: true,
};

interface Row {
  readonly scheduledFor: string;
  readonly slotCount: number;
  readonly outcome: string | null;
}

it('no file of one project makes another miss a slot, during saves and edits', () =>
  withHome(async (home) => {
    home.write('projects/beat/project.yaml', BEAT);
    home.write('projects/hostile/project.yaml', 'name: Hostile\n');
    const server = await home.serve();
    const runs = async (): Promise<Row[]> => {
      const { body } = await server.send('GET', '/api/projects/beat/runs?limit=200');
      return (body as { runs: Row[] }).runs;
    };
    const after = async (count: number): Promise<void> => {
      const before = (await runs()).length;
      await until(async () => (await runs()).length >= Math.min(before + count, 200));
    };
    await after(1);
    for (const make of Object.values(HOSTILE)) {
      writeFileSync(join(home.home, 'projects/hostile/project.yaml'), make());
      const read = await server.send('GET', '/api/projects/hostile/triggers/runtime');
      const put = await server.send('PUT', '/api/projects/hostile/triggers/mine', RECORD);
      expect([read.status, [200, 409].includes(put.status)]).toEqual([200, true]);
      await after(1);
    }
    const rows = await runs();
    expect(rows.filter(({ outcome, slotCount }) => outcome === 'missed' || slotCount > 1)).toEqual(
      [],
    );
    const slots = rows.map(({ scheduledFor }) => Date.parse(scheduledFor)).sort((a, b) => a - b);
    const steps = slots.slice(1).map((slot, n) => slot - (slots[n] ?? 0));
    expect(new Set(steps)).toEqual(new Set([2000]));
  }));
