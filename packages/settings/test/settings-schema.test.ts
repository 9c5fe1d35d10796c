import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '@svc/core';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import {
  resolveSettings,
  type SchemaNode,
  SETTING_TABLE,
  type SettingsFile,
  settingsEditorSchema,
} from '../src/index.ts';

const check = new Ajv({ allErrors: true, strict: false }).compile(settingsEditorSchema());

function faultsIn(text: string): string {
  check(parse(text));
  return JSON.stringify(check.errors ?? []);
}

describe('the schema of svc.config.yaml for editors', () => {
  it('accepts empty blocks, which have no effect', () => {
    const text = 'server:\nlimits: {}\nnotify:\nmanagementApi:\nruntime: { native: }\n';
    expect(faultsIn(text)).toBe('[]');
    expect(resolveSettings({ file: text, env: {}, flags: {} })).toMatchObject({ warnings: [] });
  });

  it.each([
    ['server: { prot: 1 }', 'prot'],
    ['server: { port: 99999 }', '/server/port'],
    ['log: { level: loud }', '/log/level'],
    ['auth: { tokenRef: secret }', '/auth/tokenRef'],
    ['notify: { sinks: { a: { url: "https://x" } } }', '/notify/sinks/a'],
    ['notify: { sinks: { Ops: { command: x } } }', '/notify/sinks'],
    ['runtime: { claude: { apiKey: secret } }', '/runtime/claude/apiKey'],
    ['runtime: { external: { a: { command: x } } }', 'protocol'],
    ['limits: { turnTimeout: 5 }', '/limits/turnTimeout'],
  ])('underlines %s', (text, path) => {
    expect(faultsIn(text)).toContain(path);
  });

  it('contains neither our annotations nor our formats', () => {
    expect(JSON.stringify(settingsEditorSchema())).not.toMatch(/"x-|"format":"/);
  });
});

it('the type of the file follows from the schema', () => {
  const file: SettingsFile = {
    server: { port: 0, tls: { certFile: 'c', keyFile: 'k' } },
    auth: { mode: 'none' },
    limits: { costPerDayUsd: 2.5, bytesPerTurn: '2MiB' },
    retention: { runs: null, age: '30d' },
    notify: { sinks: {} },
    runtime: { native: { temperature: 0.5, apiKey: { ref: 'env:KEY' }, headers: { a: 'b' } } },
    agents: { user: 65_534 },
    telemetry: { traces: { ratio: 0.1 } },
  };
  const found = resolveSettings({ file: JSON.stringify(file), env: {}, flags: {} });
  expect(found).toMatchObject({ ok: true, warnings: [] });
  // @ts-expect-error: not a word of the schema
  const wrong: SettingsFile = { log: { level: 'loud' } };
  expect(resolveSettings({ file: JSON.stringify(wrong), env: {}, flags: {} }).ok).toBe(false);
});

it.each([
  ['log: { level: wran }', 'log.level must be debug, info, warn or error. Did you mean warn?'],
  ['notify: { sinks: { a: { command: x, args: [1] } } }', 'notify.sinks.a.args must be a list of'],
  ['runtime: { native: { prices: 3 } }', 'runtime.native.prices must be a map with inputPerM'],
  [
    'auth: { mode: none, trustedProxies: [home] }',
    'loopback, linklocal, uniquelocal, none or all, not home.',
  ],
])('errors say what is valid: %s', (file, message) => {
  const found = resolveSettings({ file, env: {}, flags: {} });
  expect(found.ok ? '' : sentencesOf(found.issues, 'It')).toContain(message);
});

it('an unknown key beside the reference to a secret is an error that does not repeat it', () => {
  const file = 'runtime: { claude: { apiKey: { ref: env:KEY, sk-ant-secret: } } }';
  const found = resolveSettings({ file, env: {}, flags: {} });
  expect(found).toMatchObject({ ok: false, issues: [{ path: 'runtime.claude.apiKey', line: 1 }] });
  expect(JSON.stringify(found)).not.toContain('sk-ant-secret');
});

describe('every setting', () => {
  const nodes = SETTING_TABLE.map(({ key, schema }) => [key, schema] as const);

  it.each(nodes)('has a description that is a sentence: %s', (_key, { description }) => {
    expect(description).toMatch(/[.]$/);
  });

  const withDefault = nodes.filter(([, schema]) => schema.default !== null);
  it.each(withDefault)('has a valid default: %s', (key, schema) => {
    const file = JSON.stringify(inGroups(key, schema.default));
    const found = resolveSettings({ file, env: {}, flags: {} });
    expect(found.ok ? [] : found.issues.filter(({ path }) => path === key)).toEqual([]);
  });

  it.each(nodes)('has errors of at most 200 characters: %s', (key, schema) => {
    const found = resolveSettings({
      file: JSON.stringify(inGroups(key, WRONG)),
      env: {},
      flags: {},
    });
    for (const text of messagesIn(schema)) expect(text.length).toBeLessThanOrEqual(200);
    const issues = found.ok ? found.warnings : found.issues;
    if (key !== 'managementApi' && key !== 'telemetry.resource') expect(issues).not.toEqual([]);
    for (const { message } of issues) expect(message.length).toBeLessThanOrEqual(200);
  });
});

const WRONG = [{ wrong: 'x'.repeat(300) }];

const inGroups = (key: string, value: unknown): unknown =>
  key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

function messagesIn(schema: SchemaNode): string[] {
  const all = JSON.stringify(schema).matchAll(/"(?:errorMessage|x-missing)":("(?:[^"\\]|\\.)*")/g);
  return [...all].map(([, text = '']) => JSON.parse(text) as string);
}
