import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { dashboardQueries, OBSERVABILITY } from '../test/observability.ts';

const run = promisify(execFile);
const promtool = (...args: string[]) => run('promtool', args, { cwd: folder });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-observability-'));
  cpSync(OBSERVABILITY, folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Prometheus files, checked with promtool', () => {
  // proves: figures.rules
  it('contain valid rules, which fire when they should and not otherwise', async () => {
    const { stdout } = await promtool('check', 'rules', 'svc.rules.yml');
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
    await expect(promtool('test', 'rules', 'svc.rules.test.yml')).resolves.toBeDefined();
  });

  // proves: figures.rules
  it('contain rules whose tests detect a wrong threshold', async () => {
    const rules = readFileSync(join(folder, 'svc.rules.yml'), 'utf8');
    writeFileSync(join(folder, 'svc.rules.yml'), rules.replace('up{job="svc"} == 0', 'up == 2'));
    await expect(promtool('test', 'rules', 'svc.rules.test.yml')).rejects.toMatchObject({
      code: 1,
    });
    writeFileSync(join(folder, 'svc.rules.yml'), rules);
  });

  it('contain a valid example configuration', async () => {
    const file = join(folder, 'prometheus.yml');
    const token = join(folder, 'svc.token');
    writeFileSync(token, 'a-token');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('/etc/prometheus/svc.token', token));
    const { stdout } = await promtool('check', 'config', 'prometheus.yml');
    expect(stdout).toContain('SUCCESS');
    expect(stdout).toContain('1 rule files found');
  });

  // proves: figures.dashboard
  it('contain valid queries in the dashboard', async () => {
    const rules = [...dashboardQueries().values()].map((query, at) => ({
      record: `panel:${at}`,
      // Grafana substitutes these.
      expr: query.replaceAll(/\$__(rate_interval|range)/g, '5m'),
    }));
    expect(rules.length).toBeGreaterThan(25);
    const file = join(folder, 'panels.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
    const { stdout } = await promtool('check', 'rules', file);
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});
