import { expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { createMetrics } from '../src/metrics.ts';

it('count the runs of each trigger by outcome, and beyond a thousand series the rest as "other"', async () => {
  const metrics = createMetrics(createFakeClock());
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

// proves: usage.metrics
it('count tokens in and out, and cost and failed tool calls by project, beyond two hundred projects as "other"', async () => {
  const metrics = createMetrics(createFakeClock());
  const use = (project: string, costMicrousd: number | null) =>
    metrics.observer.used?.({
      ...{ project, tokensIn: 10, tokensOut: null, costMicrousd },
      toolErrors: costMicrousd === null ? null : 2,
      connections: costMicrousd === null ? null : { reached: 3, refused: 1 },
    });
  use('free', null);
  for (let n = 0; n < 202; n += 1) use(`p${n}`, 250_000);
  use('p0', 250_000);
  const { body } = await metrics.text();
  expect(body).toContain('svc_tokens_total{direction="in"} 2040');
  expect(body).not.toContain('direction="out"');
  expect(body).toContain('svc_cost_usd_total{project="p0"} 0.5');
  expect(body).toContain('svc_cost_usd_total{project="other"} 0.5');
  expect(body).toContain('svc_tool_errors_total{project="p0"} 4');
  expect(body).toContain('svc_turn_connections_total{result="reached"} 609');
  expect(body).toContain('svc_turn_connections_total{result="refused"} 203');
  expect(body).not.toContain('project="free"');
});

// proves: nodes.hangs
it('do not wait for the database: a slow metric keeps its last value, and an unreadable one is left out', async () => {
  const clock = createFakeClock();
  const metrics = createMetrics(clock);
  let read = async (): Promise<number> => 7;
  metrics.watchAlerts(() => read());
  const waiting = async (): Promise<string | undefined> => {
    const text = metrics.text();
    await clock.advance(300);
    return (await text).body.match(/^svc_alerts_waiting (.*)$/m)?.[1];
  };
  expect(await waiting()).toBe('7');
  let answer = (_count: number): void => {};
  read = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  expect([await waiting(), await waiting()]).toEqual(['7', '7']);
  answer(9);
  await clock.settle();
  read = () => Promise.reject(new Error('away'));
  expect(await waiting()).toBe('Nan');
  expect(clock.pending).toBe(0);
});
