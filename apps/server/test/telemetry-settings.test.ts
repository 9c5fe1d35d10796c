import { expect, it } from '@jest/globals';
import { resolveSettings } from '@svc/settings';
import { homeAt } from '../src/home.ts';
import { readKeys } from '../src/keys.ts';
import { runCommand, withHome } from './harness.ts';
import { withCollector } from './trace-collector.ts';

// proves: traces.settings
it('svc doctor reports whether a collector accepts traces, and what to do if it does not', () =>
  withCollector((collector) =>
    withHome(async (home) => {
      home.write('projects/.keep', '');
      const lineOf = async (url: string): Promise<string | undefined> => {
        home.write('svc.config.yaml', `telemetry: { traces: { url: "${url}" } }`);
        const { out } = await home.run('doctor');
        return out.split('\n').find((line) => line.startsWith('Traces: '));
      };
      expect(await lineOf(collector.url)).toBe(`Traces: sent to ${collector.origin}/….`);
      collector.respond = (response) => response.writeHead(401).end();
      expect(await lineOf(collector.url)).toContain(
        'Name its variable in telemetry.traces.headers',
      );
      expect(await lineOf('http://127.0.0.1:9/v1/traces')).toContain('Start the collector');
    }),
  ));

// proves: traces.settings
it('svc doctor checks a collector from the environment with the headers from the environment', () =>
  withCollector((collector) =>
    withHome(async (home) => {
      home.write('projects/.keep', '');
      home.write('svc.config.yaml', `telemetry: { traces: { url: "${collector.url}" } }`);
      const ask = async (env: Record<string, string>) => {
        const { out } = await runCommand(['doctor', '--home', home.home], env);
        const line = out.split('\n').find((one) => one.startsWith('Traces: '));
        return { line, authorization: collector.requests.at(-1)?.headers.authorization };
      };
      const [all, traces] = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
      const line = expect.stringContaining('sent to ');
      expect(await ask({})).toEqual({ line, authorization: undefined });
      const one = { [all]: 'x-a=1, authorization = Basic b=c%20d,' };
      expect(await ask(one)).toEqual({ line, authorization: 'Basic b=c d' });
      const both = { ...one, [traces]: 'authorization=of traces' };
      expect(await ask(both)).toEqual({ line, authorization: 'of traces' });
      expect((await ask({ [all]: 'a b=1' })).line).toContain('(NAME=VALUE,NAME=VALUE)');
    }),
  ));

it('headers from the environment are secret in every form', async () => {
  const found = resolveSettings({ file: null, env: {}, flags: {} });
  if (!found.ok) throw new TypeError('expected valid settings');
  const env = {
    OTEL_EXPORTER_OTLP_HEADERS:
      'authorization=Bearer first-half,second-half, x-key = in%20another%20form',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: '=without-a-name',
  };
  const { secrets, collectorHeaders } = await readKeys(
    homeAt('/nowhere', null),
    found.settings,
    env,
  );
  expect(secrets).toEqual(
    expect.arrayContaining(['first-half', 'second-half', 'without-a-name', 'in another form']),
  );
  expect(collectorHeaders).toEqual([
    ['authorization', 'Bearer first-half'],
    ['x-key', 'in another form'],
  ]);
});
