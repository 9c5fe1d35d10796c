import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Running, type TestHome, withHome } from '../test/harness.ts';
import {
  type Answering,
  beside,
  installForeign,
  readOutcomes,
  runProgram,
  startBearerProxy,
  startFixtureServer,
} from './protocol-support.ts';

jest.setTimeout(60_000);

const INSTALL_MS = 5 * 60_000;
const TOKEN = 'tok_home_0123456789abcdef0123';
const LIMITED = 'tok_home_ba9876543210fedc3210';
const TOKENS = { TOK_CI: TOKEN, TOK_LIMITED: LIMITED };
const CONFIG = `managementApi:
  publicUrl: http://127.0.0.1:7420
  instanceId: home
  clients:
    ci: { auth: { ref: env:TOK_CI }, scope: { allow: ["*"] } }
    limited:
      auth: { ref: env:TOK_LIMITED }
      scope: { projects: [demo], allow: [list_triggers, set_trigger] }
`;
const VERSION = (JSON.parse(readFileSync(beside('../package.json'), 'utf8')) as { version: string })
  .version;
const TOOLS = [
  ...['list_projects', 'list_chats', 'read_chat', 'create_project', 'create_chat', 'fork_chat'],
  ...['send_message', 'fork_chat_batch', 'archive_chat', 'unarchive_chat'],
  ...['list_triggers', 'set_trigger', 'remove_trigger', 'run_trigger'],
];

let foreign: Record<string, string>;
let home: TestHome;
let finish: () => void;
let whole: Promise<void>;

beforeAll(async () => {
  foreign = await installForeign(INSTALL_MS);
  await new Promise<void>((resolve, reject) => {
    whole = withHome(async (opened) => {
      home = opened;
      home.write('svc.config.yaml', CONFIG);
      home.write('projects/demo/project.yaml', 'name: Demo\n');
      home.write('projects/other/project.yaml', 'name: Other\n');
      await new Promise<void>((over) => {
        finish = over;
        resolve();
      });
    });
    whole.catch(reject);
  });
}, INSTALL_MS);

afterAll(async () => {
  finish?.();
  await whole;
});

/** Accepted reasons for a failing scenario. */
const REASONS: Readonly<Record<string, string>> = {
  prompts: 'The server declares no prompts.',
  resources: 'The server declares no resources.',
  completions: 'The server declares no completions.',
  logging: 'The server declares no logging.',
  tasks: 'The server does not declare the extension for tasks.',
  sessions: 'The server keeps no sessions, and so no streams to come back to.',
  'client requests': 'No tool asks anything of a client: no sampling, elicitation or roots.',
  'suite tool': 'The scenario needs a diagnostic tool that only the suite knows.',
};

/** The scenarios that pass completely in every suite. */
const ALWAYS = [
  ...['dns-rebinding-protection', 'json-schema-2020-12', 'tools-list'],
  ...['tools-call-audio', 'tools-call-embedded-resource', 'tools-call-error', 'tools-call-image'],
  ...['tools-call-mixed-content', 'tools-call-simple-text', 'tools-call-with-progress'],
];

interface Suite {
  readonly program: string;
  readonly args: readonly string[];
  readonly baseline: string;
  /** The number of baseline entries for each reason. */
  readonly expected: Readonly<Record<string, number>>;
  readonly scenarios: number;
  readonly checks: number;
  /** Further scenarios of which every check passes. */
  readonly passing: readonly string[];
  /** The scenarios without applicable checks. */
  readonly empty: readonly string[];
}

const SUITES: readonly Suite[] = [
  {
    program: 'conformance-0.1',
    args: ['--suite', 'all'],
    baseline: 'protocol-baseline-0.1.16.json',
    expected: {
      ...{ prompts: 5, resources: 6, completions: 1, logging: 2, sessions: 2 },
      'client requests': 4,
    },
    scenarios: 32,
    checks: 16,
    passing: ['ping', 'server-initialize'],
    empty: [],
  },
  {
    program: 'conformance-0.2',
    args: ['--requirements', '2025-11-25'],
    baseline: 'protocol-baseline-2025-11-25.json',
    expected: {
      ...{ prompts: 5, resources: 6, completions: 1, logging: 2, sessions: 5 },
      'client requests': 4,
    },
    scenarios: 33,
    checks: 49,
    passing: ['ping', 'server-initialize'],
    empty: ['server-session-lifecycle'],
  },
  {
    program: 'conformance-0.2',
    args: ['--requirements', '2026-07-28'],
    baseline: 'protocol-baseline-2026-07-28.json',
    expected: {
      ...{ prompts: 7, resources: 8, completions: 1, tasks: 25 },
      ...{ 'client requests': 12, 'suite tool': 7 },
    },
    scenarios: 50,
    checks: 120,
    passing: [
      ...['http-header-validation', 'input-required-result-ignore-extra-params'],
      ...['input-required-result-unsupported-methods', 'server-sse-multiple-streams'],
    ],
    empty: ['tasks-status-notifications'],
  },
];

type Baseline = Readonly<Record<string, readonly string[]>>;

const readBaseline = (name: string): Baseline =>
  JSON.parse(readFileSync(beside(name), 'utf8')) as Baseline;

describe('the conformance suite of the protocol', () => {
  let server: Answering;
  let proxy: Answering;

  beforeAll(async () => {
    server = await startFixtureServer(home.home, TOKENS);
    proxy = await startBearerProxy(server.url, TOKEN);
  });
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
  });

  it.each(SUITES)('$program $args.1: every expected failure has a reason', (suite) => {
    const entries = Object.entries(readBaseline(suite.baseline));
    for (const [reason] of entries) expect(Object.keys(REASONS)).toContain(reason);
    const counts = Object.fromEntries(entries.map(([reason, list]) => [reason, list.length]));
    expect(counts).toEqual(suite.expected);
    const all = entries.flatMap(([, list]) => list);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(SUITES)('$program $args.1: every applicable scenario passes', async (suite) => {
    const { args, baseline, program } = suite;
    const expected = Object.values(readBaseline(baseline)).flat();
    // The suite reads YAML, and JSON is valid YAML.
    home.write(`${baseline}.yaml`, JSON.stringify({ server: expected }));
    const results = join(home.home, `${baseline}.results`);
    const main = join(
      foreign[program] ?? '',
      'node_modules/@modelcontextprotocol/conformance/dist/index.js',
    );
    const { code, out, error } = await runProgram([
      ...['--import', beside('glob-sync-loader.mjs'), main, 'server'],
      ...['--url', `${proxy.url}/mcp`, ...args, '-o', results],
      ...['--expected-failures', join(home.home, `${baseline}.yaml`)],
    ]);
    // The summary at the end names the failed scenarios.
    expect({ code, output: code === 0 ? '' : (out + error).slice(-4000) }).toEqual({
      code: 0,
      output: '',
    });

    const outcomes = readOutcomes(results);
    const whole = outcomes.filter(({ passed, failed }) => passed > 0 && failed.length === 0);
    const empty = outcomes.filter(({ passed, failed }) => passed === 0 && failed.length === 0);
    const failing = outcomes.flatMap(({ scenario, failed }) =>
      failed.map((id) => (expected.includes(scenario) ? scenario : `${scenario}:${id}`)),
    );
    const names = (list: readonly { scenario: string }[]) => list.map(({ scenario }) => scenario);
    expect(names(whole)).toEqual([...ALWAYS, ...suite.passing].sort());
    expect(names(empty)).toEqual(suite.empty);
    expect([...new Set(failing)].sort()).toEqual([...expected].sort());
    expect({
      scenarios: outcomes.length,
      checks: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    }).toEqual({ scenarios: suite.scenarios, checks: suite.checks });
  });
});

interface StepResult {
  readonly value?: unknown;
  readonly error?: Record<string, unknown>;
}

interface ClientReport {
  readonly results: readonly StepResult[];
  readonly exchanges: { method: string; status: number; type: string | null }[];
}

const SAYS = (text: string) => ({
  value: { content: [{ type: 'text', text }], isError: true },
});
const toolsOf = (listed: StepResult | undefined): string[] =>
  (listed as { value: { tools: { name: string }[] } }).value.tools.map(({ name }) => name);
const call = (name: string, args: object = {}) => ['callTool', { name, arguments: args }];

describe('the published server', () => {
  let server: Running;
  let url: string;

  beforeAll(async () => {
    server = await home.serve(TOKENS);
    url = `${server.url}/mcp`;
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    expect(server.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('has none of the tools of the conformance suite', () => {
    const dist = new URL('../dist/', import.meta.url);
    const parts = readdirSync(dist).filter((name) => /^svc(-.*)?\.js$/.test(name));
    const program = parts.map((name) => readFileSync(new URL(name, dist), 'utf8')).join('\n');
    expect(program).toContain('run_trigger');
    expect(program).not.toContain('test_simple_text');
  });

  describe.each([
    ['classic', '2025-11-25', '@modelcontextprotocol/sdk'],
    ['auto', '2026-07-28', '@modelcontextprotocol/client'],
    ['pinned', '2026-07-28', '@modelcontextprotocol/client'],
  ])('a client in mode %s, which speaks %s (%s)', (flavour, revision) => {
    const isClassic = flavour === 'classic';

    async function steps(token: string | null, list: readonly unknown[]): Promise<ClientReport> {
      const { code, out, error } = await runProgram(
        [
          ...[beside('protocol-clients.mjs'), foreign['clients'] ?? '', flavour, url],
          ...(token === null ? [] : [token]),
        ],
        { input: JSON.stringify(list) },
      );
      expect({ code, error }).toEqual({ code: 0, error: '' });
      return JSON.parse(out) as ClientReport;
    }

    // proves: endpoint.post
    it('connects with a header, lists, calls, pings if supported, and closes', async () => {
      const name = `it-${flavour}`;
      const prompt = `\`\`\`bash\necho done > ${name}.txt\n\`\`\`\n`;
      const { results, exchanges } = await steps(TOKEN, [
        ['connect'],
        ['revision'],
        ['getServerVersion'],
        ['getServerCapabilities'],
        ['listTools'],
        call('set_trigger', { project: 'demo', name, interval: '1h', prompt, tools: ['Bash'] }),
        call('list_triggers', { project: 'demo' }),
        call('run_trigger', { project: 'demo', name, wait_seconds: 30 }),
        call('nope'),
        ['ping'],
        ['close'],
      ]);
      const [connected, spoken, version, capabilities, listed, set, triggers, ran, nope, ping] =
        results;
      expect([connected, results.at(-1)]).toEqual([{}, {}]);
      expect(spoken).toEqual({ value: revision });
      expect(version).toEqual({ value: { name: 'svc', version: VERSION } });
      expect(capabilities).toEqual({ value: { tools: {} } });

      expect(toolsOf(listed)).toEqual(TOOLS);
      const cached = { ttlMs: 60_000, cacheScope: 'private' };
      if (!isClassic) expect(listed).toMatchObject({ value: cached });

      expect(set).toMatchObject({ value: { structuredContent: { set: true, trigger: { name } } } });
      expect(triggers).toMatchObject({
        value: {
          structuredContent: {
            triggers: expect.arrayContaining([expect.objectContaining({ name })]),
          },
        },
      });
      expect(ran).toMatchObject({
        value: { structuredContent: { ran: true, project: 'demo', name, outcome: 'succeeded' } },
      });
      expect(home.read(`projects/demo/${name}.txt`)).toBe('done\n');
      expect(nope).toMatchObject(SAYS('Unknown tool: nope'));
      if (isClassic) expect(ping).toEqual({ value: {} });
      else expect(ping).toMatchObject({ error: { name: 'SdkError' } });

      const asked = exchanges.map(({ method, status, type }) => `${method} ${status} ${type}`);
      const opening = isClassic
        ? ['GET 405 application/json', 'POST 202 null', 'POST 200 text/event-stream']
        : ['POST 200 text/event-stream'];
      expect(new Set(asked)).toEqual(new Set(opening));
      // Five calls either way; the older protocol adds its handshake, a request for a stream, and a ping.
      expect(exchanges).toHaveLength(isClassic ? 9 : 6);
    });

    it('gets a clear error without all required headers', async () => {
      const { results } = await steps(LIMITED, [
        ['connect'],
        ['listTools'],
        call('list_triggers', { project: 'demo' }),
        call('list_triggers', { project: 'other' }),
        call('list_triggers', { project: 'not-there' }),
        call('run_trigger', { project: 'demo', name: 'it' }),
        ['close'],
      ]);
      expect(toolsOf(results[1])).toEqual(['list_triggers', 'set_trigger']);
      const denial = SAYS("not permitted: operation list_triggers is outside this client's scope");
      expect(results.slice(2, 6)).toMatchObject([
        { value: { structuredContent: { project: 'demo' } } },
        denial,
        denial,
        SAYS('Unknown tool: run_trigger'),
      ]);
    });

    it.each([
      ['no token', null],
      ['a wrong token', `${TOKEN}0`],
    ])('with %s gets 401, once, and not in HTML', async (_name, token) => {
      const { results, exchanges } = await steps(token, [['connect']]);
      const error = results[0]?.error ?? {};
      expect(isClassic ? error['code'] : error['status']).toBe(401);
      expect(error['message']).toMatch(isClassic ? /"code":"auth_required"/ : /HTTP 401/);
      expect(exchanges).toEqual([{ method: 'POST', status: 401, type: 'application/json' }]);
    });
  });

  describe('the command line of the Inspector', () => {
    const inspect = (token: string | null, ...args: string[]) =>
      runProgram([
        join(
          foreign['inspector'] ?? '',
          'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js',
        ),
        ...['--cli', url, '--transport', 'http'],
        ...(token === null ? [] : ['--header', `Authorization: Bearer ${token}`]),
        ...args,
      ]);

    it('lists the tools', async () => {
      const { code, out } = await inspect(TOKEN, '--method', 'tools/list');
      expect(code).toBe(0);
      expect(toolsOf({ value: JSON.parse(out) })).toEqual(TOOLS);
    });

    it('calls tools with arguments', async () => {
      const name = 'inspected';
      const set = ['set_trigger', '--tool-arg', 'project=demo', `name=${name}`, 'cron=0 3 * * *'];
      const made = await inspect(
        TOKEN,
        ...['--method', 'tools/call', '--tool-name', ...set, 'prompt=x', 'enabled=true'],
      );
      expect(made.code).toBe(0);
      expect(JSON.parse(made.out)).toMatchObject({
        structuredContent: { trigger: { name, cron: '0 3 * * *', enabled: true, armed: true } },
      });
    });

    it('shows the error of a tool', async () => {
      const refused = await inspect(TOKEN, '--method', 'tools/call', '--tool-name', 'nope');
      expect(refused.code).toBe(0);
      expect({ value: JSON.parse(refused.out) }).toEqual(SAYS('Unknown tool: nope'));
    });

    it.each([
      ['no token', null],
      ['a wrong token', `${TOKEN}0`],
    ])('fails with %s', async (_name, token) => {
      const { code, out, error } = await inspect(token, '--method', 'tools/list');
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(error).toContain('"code":"auth_required"');
    });
  });
});
