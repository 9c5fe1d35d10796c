import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder with the files for Prometheus and Grafana. */
export const OBSERVABILITY: string = fileURLToPath(
  new URL('../../../deploy/observability/', import.meta.url),
);

const read = (name: string): string => readFileSync(`${OBSERVABILITY}${name}`, 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
  readonly templating: { readonly list: readonly { name: string; definition?: string }[] };
}

/** The queries of the alert rules, by alert. */
export function ruleQueries(): Map<string, string> {
  const { groups } = parse(read('svc.rules.yml')) as Rules;
  return new Map(groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr])));
}

/** The queries of the dashboard, by panel. */
export function dashboardQueries(): Map<string, string> {
  const { panels } = JSON.parse(read('svc.dashboard.json')) as Dashboard;
  return new Map(
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }, at) => [`${title} ${at}`, expr] as const),
    ),
  );
}

/** Queries of the dashboard variables. */
export function variableQueries(): string[] {
  const { templating } = JSON.parse(read('svc.dashboard.json')) as Dashboard;
  return templating.list.flatMap(({ definition }) => definition ?? []);
}

/** Alerts that the unit tests of the rules expect to fire. */
export function testedAlerts(): Set<string> {
  const { tests } = parse(read('svc.rules.test.yml')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
  };
  const all = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  return new Set(
    all.filter((one) => (one.exp_alerts ?? []).length > 0).map(({ alertname }) => alertname),
  );
}
