import { expect, it } from '@jest/globals';
import { createMetrics } from '../src/metrics.ts';

it('count the runs of each trigger by outcome, and past a thousand series the rest as "other"', async () => {
  const metrics = createMetrics();
  const end = (trigger: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
    metrics.observer.ended({ project: 'demo', trigger, outcome });
  for (let n = 0; n < 1200; n += 1) end(`t${n}`);
  end('t0');
  end('t0', 'failed');
  const { body } = await metrics.text();
  const series = body.split('\n').filter((line) => line.startsWith('svc_runs_ended_total{'));
  expect(series).toHaveLength(1002);
  const named = (labels: string) => `svc_runs_ended_total{${labels}}`;
  expect(series).toEqual(
    expect.arrayContaining([
      `${named('outcome="succeeded",project="demo",trigger="t0"')} 2`,
      `${named('outcome="succeeded",project="demo",trigger="t999"')} 1`,
      `${named('outcome="succeeded",project="other",trigger="other"')} 200`,
      `${named('outcome="failed",project="other",trigger="other"')} 1`,
    ]),
  );
});
