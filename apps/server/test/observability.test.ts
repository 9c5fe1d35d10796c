import { describe, expect, it } from '@jest/globals';
import { createFakeClock } from '@svc/core/testing';
import { RUN_OUTCOMES } from '@svc/records';
import { createMetrics } from '../src/metrics.ts';
import { withHome } from './harness.ts';
import { dashboardQueries, ruleQueries, testedAlerts, variableQueries } from './observability.ts';

const QUERIES = [...ruleQueries(), ...dashboardQueries()];
const ASKED = [...QUERIES.map(([, query]) => query), ...variableQueries()];

/** Metrics that a query names, as `# TYPE` lists them. */
function metricsIn(query: string): string[] {
  const names = query.replace(/"[^"]*"/g, '').match(/\b(?:svc|nodejs|process)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

/** Labels that a query names: matchers and groupings. */
function labelsIn(query: string): string[] {
  const bare = query.replace(/"[^"]*"/g, '""');
  const sought = [...bare.matchAll(/(\w+)(?:=~|!=|!~|=)""/g)].map(([, name = '']) => name);
  const sums = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(','));
  return [...sought, ...sums.map((name) => name.trim())];
}

/** Values that a query matches a label with. */
function valuesIn(query: string, label: string): string[] {
  const found = [...query.matchAll(new RegExp(`\\b${label}=~?"([^"$]*)"`, 'g'))];
  return found.flatMap(([, values = '']) => values.split('|'));
}

/** The metrics of a process in which every event happened once. */
async function everything(): Promise<string> {
  const metrics = createMetrics(createFakeClock());
  const { observer } = metrics;
  metrics.watch({
    load: () => ({ armed: 1, invalid: 1, running: 1, queued: 1, projects: 1, nodes: 1 }),
    ...{ leads: () => true, isPaused: async () => false, databaseBytes: async () => 1 },
    attention: async () => [],
  });
  observer.claimed({ lateMs: 1, catchUp: false });
  observer.ended({ project: 'p', trigger: 't', outcome: 'failed' });
  observer.used?.({
    ...{ project: 'p', tokensIn: 1, tokensOut: 1, costMicrousd: 1, toolErrors: 1 },
    connections: { reached: 1, refused: 1 },
  });
  metrics.alertTried('ops', 'delivered');
  metrics.connectionClosed('total');
  metrics.signInRefused('token');
  metrics.spans('sent', 1);
  return (await metrics.text()).body;
}

describe('the dashboard and the alert rules', () => {
  // proves: figures.dashboard
  it('use only metrics that a server exposes', () =>
    withHome(async (home) => {
      const server = await home.serve();
      const text = String((await server.get('/metrics')).body);
      const known = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(text).toMatch(/^svc_ready 1$/m);
      const unknown = ASKED.flatMap(metricsIn).filter((name) => !known.includes(name));
      expect(unknown).toEqual([]);
      expect(new Set(ASKED.flatMap(metricsIn)).size).toBeGreaterThan(25);
    }));

  // proves: figures.dashboard
  it('use only existing labels and outcomes', async () => {
    const text = await everything();
    const own = [...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name);
    // Prometheus adds the first two.
    const known = new Set(['job', 'instance', 'le', ...own]);
    expect(ASKED.flatMap(labelsIn).filter((name) => !known.has(name))).toEqual([]);
    const outcomes = ASKED.flatMap((query) => valuesIn(query, 'outcome'));
    expect(outcomes.filter((name) => !RUN_OUTCOMES.some((one) => one === name))).toEqual([]);
    const results = ASKED.flatMap((query) => valuesIn(query, 'result'));
    expect(new Set(results)).toEqual(new Set(['given_up', 'failed', 'dropped']));
  });

  // proves: figures.rules
  it('have a test for each alert in which it fires', () => {
    expect([...ruleQueries().keys()].filter((name) => !testedAlerts().has(name))).toEqual([]);
  });
});
