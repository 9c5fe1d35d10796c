import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '@svc/core';
import { resolveSettings } from '../src/index.ts';

const resolve = (telemetry: string, env: Record<string, string> = {}) =>
  resolveSettings({ file: `telemetry: ${telemetry}`, env, flags: {} });

const URL_GIVEN = 'http://127.0.0.1:4318/v1/traces';
const OFF = { traces: { url: null, headers: {}, ratio: 1 }, serviceName: null, resource: {} };

describe('trace settings', () => {
  // proves: traces.settings
  it.each<[string, Record<string, string>, object]>([
    ['{}', {}, OFF],
    [
      `{ traces: { url: "${URL_GIVEN}", ratio: 0.1 } }`,
      {},
      { traces: { url: URL_GIVEN, ratio: 0.1 } },
    ],
    [
      '{ traces: { headers: { authorization: { ref: env:TOKEN } } }, serviceName: night }',
      {},
      { traces: { url: null, headers: { authorization: 'TOKEN' } }, serviceName: 'night' },
    ],
    [
      '{}',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_SERVICE_NAME: 'night' },
      { traces: { url: URL_GIVEN }, serviceName: 'night' },
    ],
    [
      '{}',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/x',
      },
      { traces: { url: 'https://collector.example/x' } },
    ],
    [
      '{ resource: { a: b } }',
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=night, team=a%2Cb' },
      { resource: { 'service.name': 'night', team: 'a,b' } },
    ],
    [`{ traces: { url: "${URL_GIVEN}" } }`, { OTEL_SDK_DISABLED: 'true' }, OFF],
    [`{ traces: { url: "${URL_GIVEN}" } }`, { OTEL_TRACES_EXPORTER: 'none' }, OFF],
    [
      `{ traces: { url: "${URL_GIVEN}" } }`,
      { OTEL_TRACES_EXPORTER: 'otlp' },
      { traces: { url: URL_GIVEN } },
    ],
  ])('are accepted: %s %j', (file, env, expected) => {
    expect(resolve(file, env)).toMatchObject({ ok: true, settings: { telemetry: expected } });
  });

  // proves: traces.settings
  it('send headers only to the collector in the file', () => {
    const file = `{ traces: { url: "${URL_GIVEN}", headers: { a: { ref: env:TOKEN } } } }`;
    const own = resolve(file, {});
    expect(own).toMatchObject({ settings: { telemetry: { traces: { headers: { a: 'TOKEN' } } } } });
    const other = resolve(file, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    expect(other.ok && other.settings.telemetry.traces.headers).toEqual({});
    expect(other.ok && other.warnings).toEqual([
      expect.objectContaining({ path: 'telemetry.traces.headers' }),
    ]);
  });

  // proves: traces.settings
  it.each<[Record<string, string>, string]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'it must be the http or https URL'],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'a' }, 'it must be a map of strings'],
  ])('from the environment that are invalid do not prevent a start: %j', (env, said) => {
    const found = resolve('{}', env);
    expect(found).toMatchObject({ ok: true, settings: { telemetry: OFF } });
    const [name] = Object.keys(env);
    expect(found.ok && found.warnings).toEqual([
      { path: name, message: expect.stringContaining(`has no effect: ${said}`) },
    ]);
  });

  // proves: traces.settings
  it.each<[string, Record<string, string>, string]>([
    [
      '{ traces: { url: collector:4317 } }',
      {},
      'telemetry.traces.url must be the http or https URL of a collector',
    ],
    ['{ traces: { url: "http://me:secret@host" } }', {}, 'without a user name or password'],
    ['{ disabled: "yes" }', {}, 'telemetry.disabled must be true or false.'],
    [
      '{ traces: { headers: { a: secret } } }',
      {},
      'telemetry.traces.headers.a must be { ref: env:NAME }',
    ],
    ['{ traces: { headers: { "a b": { ref: env:A } } } }', {}, 'must be the name of a header.'],
    ['{ traces: { ratio: 2 } }', {}, 'telemetry.traces.ratio must be a number from 0 to 1'],
    ['{ resource: { a: 1 } }', {}, 'telemetry.resource must be a map of strings'],
  ])('are rejected with the valid form: %s %j', (file, env, said) => {
    const found = resolve(file, env);
    expect(found.ok ? '' : sentencesOf(found.issues, 'It')).toContain(said);
    expect(found.ok ? '' : sentencesOf(found.issues, 'It')).not.toContain('secret@');
  });
});
