import { describe, expect, it } from '@jest/globals';
import { sentencesOf } from '@svc/core';
import { resolveSettings } from '../src/index.ts';

const resolve = (file: string, env: Record<string, string> = {}) =>
  resolveSettings({ file, env, flags: {} });

function runtime(file: string, env: Record<string, string> = {}) {
  const resolved = resolve(file, env);
  if (!resolved.ok) throw new Error(sentencesOf(resolved.issues, 'svc.config.yaml'));
  return resolved.settings.runtime;
}

describe('runtime settings', () => {
  it('default to the playbook alone', () => {
    expect(runtime('')).toEqual({
      default: 'native',
      native: {
        model: null,
        baseUrl: null,
        keyVariable: null,
        contextTokens: 128_000,
        prices: null,
        headers: {},
        temperature: null,
        extraBody: {},
        streamUsage: true,
      },
      claude: {
        model: null,
        baseUrl: null,
        keyVariable: null,
        projectInstructions: false,
        prices: null,
      },
      external: {},
    });
  });

  it('accept every kind of value', () => {
    const file = `runtime:
  default: codex
  native: { model: qwen3, baseUrl: 'http://127.0.0.1:11434/v1/', contextTokens: 32000, prices: { inputPerMillionUsd: 0.5, outputPerMillionUsd: 2 }, headers: { X-Title: svc, api-key: { ref: env:GATE_KEY } }, temperature: 0.2, extraBody: { top_p: 0.9, provider: { order: [a] } }, streamUsage: false }
  claude: { model: sonnet, baseUrl: 'https://relay.lan', apiKey: { ref: env:CLAUDE_KEY }, projectInstructions: true }
  external:
    codex: { command: codex-acp, args: [--quiet], protocol: acp, model: gpt, env: [OPENAI_API_KEY], home: [.config/codex] }
    shout: { command: /usr/bin/tr, args: [a-z, A-Z], protocol: text, prices: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 } }
`;
    expect(runtime(file)).toEqual({
      default: 'codex',
      native: {
        model: 'qwen3',
        baseUrl: 'http://127.0.0.1:11434/v1',
        keyVariable: null,
        contextTokens: 32_000,
        prices: { inputPerMillionUsd: 0.5, outputPerMillionUsd: 2 },
        headers: { 'X-Title': { value: 'svc' }, 'api-key': { variable: 'GATE_KEY' } },
        temperature: 0.2,
        extraBody: { top_p: 0.9, provider: { order: ['a'] } },
        streamUsage: false,
      },
      claude: {
        model: 'sonnet',
        baseUrl: 'https://relay.lan',
        keyVariable: 'CLAUDE_KEY',
        projectInstructions: true,
        prices: null,
      },
      external: {
        codex: {
          command: 'codex-acp',
          args: ['--quiet'],
          protocol: 'acp',
          model: 'gpt',
          env: ['OPENAI_API_KEY'],
          home: ['.config/codex'],
          hosts: [],
          prices: null,
        },
        shout: {
          command: '/usr/bin/tr',
          args: ['a-z', 'A-Z'],
          protocol: 'text',
          model: null,
          env: [],
          home: [],
          hosts: [],
          prices: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 },
        },
      },
    });
    expect(runtime('runtime: { default: native }', { SVC_RUNTIME: 'claude' }).default).toBe(
      'claude',
    );
  });

  it.each([
    [
      'default: cloude',
      'runtime.default must be native or claude: this instance has no runtime "cloude"',
    ],
    ['default: cloude', 'Did you mean claude?'],
    ['native: { model: qwen3 }', 'runtime.native.baseUrl is required for model "qwen3"'],
    ['native: { baseUrl: "http://127.0.0.1:1/v1" }', 'runtime.native.model is required because'],
    ['native: { model: a, baseUrl: 127.0.0.1 }', 'runtime.native.baseUrl must be a URL'],
    ['native: { model: a, baseUrl: "ftp://x" }', 'runtime.native.baseUrl must be a URL'],
    ['native: { model: a, baseUrl: "http://u:p@x" }', 'without password and query.'],
    ['native: { contextTokens: 10 }', 'runtime.native.contextTokens must be a whole number from'],
    ['native: { prices: { inputPerMillionUsd: 1 } }', 'outputPerMillionUsd is required because'],
    ['native: { prices: { inputPerMillionUsd: -1, outputPerMillionUsd: 1 } }', 'must be a number'],
    ['native: { temperature: 3 }', 'runtime.native.temperature must be a number from 0 to 2.'],
    ['native: { streamUsage: perhaps }', 'runtime.native.streamUsage must be true or false.'],
    ['native: { extraBody: [1] }', 'runtime.native.extraBody must be a map of additional'],
    ['native: { extraBody: { stream: false } }', 'runtime.native.extraBody.stream is set by svc'],
    ['native: { headers: [a] }', 'runtime.native.headers must be a map of headers to texts or'],
    [
      'native: { headers: { "a b": c } }',
      'runtime.native.headers has a key that must be the name of a header.',
    ],
    ['native: { headers: { Host: c } }', 'runtime.native.headers.Host is set by svc. Remove it.'],
    ...['Expect', 'keep-alive', 'Upgrade', 'Accept'].map((name): [string, string] => [
      `native: { headers: { ${name}: c } }`,
      `runtime.native.headers.${name} is set by svc. Remove it.`,
    ]),
    [
      'native: { headers: { __proto__: c } }',
      'headers has a key that must be the name of a header.',
    ],
    ['native: { headers: { a: "b\\nc" } }', 'headers.a must be one line of printable ASCII, or'],
    ['native: { headers: { a: { ref: sk-ant-secret } } }', 'headers.a.ref must be env:NAME'],
    [
      'native: { apiKey: { ref: env:K }, headers: { Authorization: x } }',
      'runtime.native.headers.Authorization is also set by apiKey',
    ],
    ['claude: { apiKey: sk-ant-secret }', 'runtime.claude.apiKey must be { ref: env:NAME }'],
    ['claude: { apiKey: { ref: sk-ant-secret } }', 'runtime.claude.apiKey.ref must be env:NAME'],
    ['external: [codex]', 'runtime.external must be a map of runtimes by name.'],
    ['external: { claude: { command: a, protocol: acp } }', 'must have another name'],
    ['external: { Codex: { command: a, protocol: acp } }', 'must be a name of lower-case letters'],
    [
      'external: { a: { protocol: acp } }',
      'runtime.external.a.command must be the name or path of a program',
    ],
    ['external: { a: { command: b } }', 'runtime.external.a.protocol must be acp or text.'],
    ['external: { a: { command: b, protocol: acp, args: c } }', 'args must be a list of strings.'],
    ['external: { a: { command: b, protocol: acp, env: [K=v] } }', 'environment variable names'],
    ['external: { a: { command: b, protocol: acp, prices: 3 } }', 'prices must be a map with'],
  ])('reject %j: %s', (block, message) => {
    const resolved = resolve(`runtime: { ${block} }`);
    expect(resolved.ok).toBe(false);
    const problems = resolved.ok ? '' : sentencesOf(resolved.issues, 'svc.config.yaml');
    expect(problems).toContain(message);
    expect(problems).not.toContain('sk-ant-secret');
  });

  it('warn about a key that is sent over the network in plain text', () => {
    const at = (url: string) =>
      resolve(`runtime: { native: { model: a, baseUrl: "${url}", apiKey: { ref: env:KEY } } }`);
    const message = expect.stringContaining('in plain text');
    expect(at('http://models.lan/v1')).toMatchObject({
      warnings: [{ path: 'runtime.native.baseUrl', message }],
    });
    expect(at('http://127.0.0.1:1/v1')).toMatchObject({ warnings: [] });
    expect(at('https://models.lan/v1')).toMatchObject({ warnings: [] });
    const header = 'headers: { api-key: { ref: env:KEY } }';
    expect(
      resolve(`runtime: { native: { model: a, baseUrl: "http://models.lan/v1", ${header} } }`),
    ).toMatchObject({ warnings: [{ path: 'runtime.native.baseUrl', message }] });
  });
});
