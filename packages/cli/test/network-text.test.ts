import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '@svc/client';
import { COMMANDS, type CommandContext, createCli } from '../src/index.ts';
import { createLocalHome } from './local-home.ts';

const ID = '01990c2e-5f2a-7bb1-8a52-0d2f6c1e9a44';

type Run = Schemas['Run'];

const RUN = {
  ...{ id: ID, project: 'demo', trigger: 'nightly', source: 'trigger', cause: 'schedule' },
  ...{ state: 'ended', outcome: 'succeeded', reason: null, scheduledFor: null, lateMs: null },
  ...{ startedAt: null, endedAt: null, denied: [], cost: null, model: null, runtime: 'native' },
  ...{ sessionId: null, tokensIn: null, by: null, person: null },
};

/** The lines of `svc show` about sandbox and network. */
async function shown(facts: Partial<Pick<Run, 'sandbox' | 'network'>>): Promise<string[]> {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const fetch = async (): Promise<Response> => Response.json({ ...RUN, ...facts });
  const home = createLocalHome();
  const service: CommandContext['service'] = {
    ...home.service,
    open: async () => ({ fetch, close: async () => {} }),
  };
  const never = new Promise<void>(() => {});
  const cli = createCli({
    commands: COMMANDS,
    contextOf: async (line) => ({ ...line, ...home, service, env: {} }),
    ...{ version: '1.2.3', stopRequested: never, stopAtOnce: never },
    terminal: {
      ...{ isTerminal: false, columns: null, hasColors: false, out: add, colored: add },
      error: add,
    },
  });
  expect(await cli.run(['show', ID])).toBe(0);
  return lines.filter((line) => /^(sandbox|network|refused)/.test(line));
}

const reached = [
  { host: 'api.github.com', port: 443, count: 3, sent: 12_345, received: 1_234_567 },
  { host: '2001:db8::1', port: 443, count: 1 },
];
const refused = [
  { host: 'packages.example.com', port: 443, count: 2, reason: 'It is not allowed.' },
];

describe('svc show', () => {
  // proves: usage.sandbox
  it.each([
    [
      { sandbox: 'enforced', network: { reached, refused } },
      [
        'sandbox   enforced',
        'network   reached api.github.com:443 (3, 1.2 MB), [2001:db8::1]:443 (1)',
        'refused   packages.example.com:443 (2)',
      ],
    ],
    [
      { sandbox: 'enforced', network: { reached, refused, more: { reached: 7, refused: 40 } } },
      [
        'sandbox   enforced',
        'network   reached api.github.com:443 (3, 1.2 MB), [2001:db8::1]:443 (1), 7 to other hosts',
        'refused   packages.example.com:443 (2), 40 to other hosts',
      ],
    ],
    [{ sandbox: 'none', network: null }, ['sandbox   none (commands ran without a sandbox)']],
    [
      { sandbox: 'enforced', network: { reached: [], refused: [] } },
      ['sandbox   enforced', 'network   no connections'],
    ],
    [
      { sandbox: 'enforced', network: { reached: [], refused } },
      ['sandbox   enforced', 'refused   packages.example.com:443 (2)'],
    ],
    [{ sandbox: null, network: null }, []],
    // As an earlier server answers.
    [{}, []],
  ] as const)('shows %j', async (facts, lines) => {
    expect(await shown(facts as Partial<Run>)).toEqual(lines);
  });

  it('escapes the name of a host', async () => {
    const host = 'a\u001b[2Jb\u202ec';
    const network = { reached: [{ host, port: 1, count: 1 }], refused: [] };
    expect(await shown({ sandbox: 'enforced', network })).toEqual([
      'sandbox   enforced',
      String.raw`network   reached a\u001b[2Jb\u202ec:1 (1)`,
    ]);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9949, '9.9 kB'],
    [12_345, '12 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [5e9, '5.0 GB'],
    [1e18, '1000000 TB'],
  ])('shows %s bytes as %s', async (received, size) => {
    const network = { reached: [{ host: 'a', port: 1, count: 1, received }], refused: [] };
    expect(await shown({ sandbox: 'enforced', network })).toContain(
      `network   reached a:1 (1, ${size})`,
    );
  });
});
