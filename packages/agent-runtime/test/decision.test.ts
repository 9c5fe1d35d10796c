import { describe, expect, it } from '@jest/globals';
import { bannerOf, createToolPolicy } from '@svc/agent-runtime';
import {
  BUILT_IN_TOOLS,
  type Capability,
  GRANTABLE_TOOLS,
  MANAGE_PREFIX,
  PERMISSION_MODES,
} from '@svc/records';
import { OPERATIONS } from './operations.ts';
import { fullCapability } from './support.ts';

const policy = createToolPolicy(OPERATIONS);

const manage = (operation: string): string => `${MANAGE_PREFIX}${operation}`;
const READING = [
  'Read',
  'Glob',
  'Grep',
  'WebFetch',
  'WebSearch',
  ...['list_projects', 'list_chats', 'read_chat', 'list_triggers'].map(manage),
];
const STARTING = [
  'Task',
  ...['create_chat', 'fork_chat', 'fork_chat_batch', 'send_message', 'run_trigger'].map(manage),
];

// Expected values, written by hand from the rules for each tool, mode and depth.
function expected(name: string, mode: string, depth: number, limit: number, listed: boolean) {
  if (!listed) return 'absent';
  if (STARTING.includes(name) && depth >= limit) return 'absent';
  return mode === 'plan' && !READING.includes(name) ? 'refused' : 'run';
}

const DEPTHS = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 2],
  [3, 2],
] as const;

// Every combination for one tool.
const rows = PERMISSION_MODES.flatMap((mode) =>
  DEPTHS.flatMap(([depth, limit]) =>
    [true, false].map((listed) => ({ mode, depth, limit, listed })),
  ),
);

describe('the decision on a tool call', () => {
  // proves: run.tools.enforced, run.permission-mode.applied, run.max-spawn-depth.bounds
  it.each(GRANTABLE_TOOLS)('of %s, under every mode, at every depth, listed or not', (name) => {
    for (const { mode, depth, limit, listed } of rows) {
      const tools = GRANTABLE_TOOLS.filter((other) => listed || other !== name);
      const capability = { ...fullCapability, tools, permissionMode: mode, maxSpawnDepth: limit };
      const decision = policy.decide(capability, depth, name);
      const wanted = expected(name, mode, depth, limit, listed);
      expect({ mode, depth, limit, listed, verdict: decision.verdict }).toEqual({
        ...{ mode, depth, limit, listed, verdict: wanted },
      });
      if (decision.verdict !== 'run') expect(decision.reason).toContain(name);
    }
  });

  it('knows the reading and the starting tools of the whole catalogue', () => {
    const safe = BUILT_IN_TOOLS.filter(({ dangerous }) => !dangerous).map(({ name }) => name);
    expect(READING).toEqual(expect.arrayContaining(safe));
    expect(GRANTABLE_TOOLS.filter(policy.startsTurns).sort()).toEqual([...STARTING].sort());
  });

  it('takes names exactly', () => {
    for (const name of ['read', 'READ', 'Read ', '', 'constructor', 'mcp__svc_manage__']) {
      expect(policy.decide(fullCapability, 0, name).verdict).toBe('absent');
    }
  });

  it('has no operation that is missing in the catalogue, even if it is listed', () => {
    const { decide } = createToolPolicy({ list_chats: { effect: 'reads' } });
    expect(decide(fullCapability, 0, manage('list_chats')).verdict).toBe('run');
    expect(decide(fullCapability, 0, manage('run_trigger')).verdict).toBe('absent');
    const odd = { ...fullCapability, tools: [manage('toString'), manage('__proto__')] };
    for (const name of odd.tools) expect(decide(odd, 0, name).verdict).toBe('absent');
  });

  it('runs no unknown tool under plan', () => {
    const capability: Capability = {
      ...fullCapability,
      tools: ['Frobnicate'],
      permissionMode: 'plan',
    };
    expect(policy.decide(capability, 0, 'Frobnicate').verdict).toBe('refused');
  });
});

describe('the capability banner', () => {
  // proves: run.tools.banner
  it('shows what an agent with listed tools can do, and that Bash is not sandboxed', () => {
    const capability = { ...fullCapability, tools: ['Read', 'Bash'], maxTurns: 1 };
    expect(bannerOf(policy, capability)).toBe(
      [
        'Runs as agent trigger-demo-nightly, with only the tools listed.',
        'Tools: Read, Bash.',
        'Permission mode: default. Listed tools run without asking.',
        'At most 1 model call per turn.',
        'It cannot start turns.',
        'File tools are limited to the project folder.',
        'Bash is not sandboxed: it can access everything its user account can access.',
      ].join('\n'),
    );
  });

  it('shows that Bash runs in a sandbox', () => {
    const capability = { ...fullCapability, tools: ['Bash'] };
    const holds = { toolAllowList: 'enforced', maxTurns: 'exact' } as const;
    const hosts = (names: readonly string[] | null) => ({ hostsOf: () => names });
    const shown = (names: readonly string[] | null) =>
      bannerOf(policy, capability, { holds, runsSteps: true, sandbox: hosts(names) }).split('\n');
    expect(shown(['*', '10.0.0.7:5432']).slice(-2)).toEqual([
      'Bash runs in a sandbox: of this machine it can access the project folder and installed programs.',
      'Network: all public hosts, 10.0.0.7:5432.',
    ]);
    expect(shown([]).at(-1)).toBe('Network: none.');
    expect(shown(null).at(-1)).toBe(
      'Network: not limited (agents.sandbox.network is unrestricted).',
    );
  });

  it.each([
    ['asked', ['Read'], 'Tools: Read, enforced by a sandbox as read-only access to the project'],
    ['asked', ['Write'], 'Tools: Write, enforced by a sandbox as write access to the project'],
    ['none', ['Read', 'Bash'], 'Tools: Read, Bash, enforced by a sandbox as write access to'],
  ] as const)(
    'shows how a sandbox enforces the tools of an agent that is %s: %j',
    (toolAllowList, tools, line) => {
      const holds = { toolAllowList, maxTurns: 'none' } as const;
      const sandbox = { hostsOf: () => ['api.example'] };
      const said = bannerOf(
        policy,
        { ...fullCapability, tools },
        { holds, runsSteps: false, sandbox },
      );
      expect(said).toContain(line);
      expect(said.split('\n').slice(-2)).toEqual([
        'It runs in a sandbox: of this machine it can access the project folder and installed programs.',
        'Network: api.example.',
      ]);
    },
  );

  it.each([
    ['no tools', { tools: [] }, 'Tools: none. It can only reply.'],
    ['the keeper', { runsAs: 'keeper', agentName: null }, 'Runs as the keeper.'],
    ['plan', { permissionMode: 'plan' }, 'Permission mode: plan. Only read-only tools run.'],
    ['a spawn depth', { maxSpawnDepth: 2 }, 'It can start turns, up to depth 2.'],
    ['spawn depth 0', { maxSpawnDepth: 0 }, 'It cannot start turns.'],
    ['a fired keeper', { runsAs: 'keeper' }, 'Runs as the keeper (agent trigger-demo-nightly).'],
  ] as const)('shows %s', (_, parts, line) => {
    expect(bannerOf(policy, { ...fullCapability, ...parts }).split('\n')).toContain(line);
  });

  it.each([
    [
      'brings its own tools along',
      { toolAllowList: 'none', maxTurns: 'none' },
      false,
      [
        'Tools: whatever the command provides, without limits.',
        'Model calls are not counted.',
        'Not sandboxed: it can access everything its user account can access.',
      ],
    ],
    [
      'asks before some of what it does',
      { toolAllowList: 'asked', maxTurns: 'approximate' },
      false,
      [
        'Tools: Read, Bash, checked only when the agent asks for permission. Other actions are not limited.',
        'Permission mode: default. Listed tools run without asking.',
        'At most about 1 model call per turn, counted as rounds of tool calls.',
        'It cannot start turns.',
        'Not sandboxed: it can access everything its user account can access.',
      ],
    ],
  ] as const)(
    'promises nothing that a runtime does not enforce: its agent %s',
    (_, holds, runsSteps, lines) => {
      const capability = { ...fullCapability, tools: ['Read', 'Bash'], maxTurns: 1 };
      const said = bannerOf(policy, capability, { holds, runsSteps }).split('\n');
      expect(said.slice(1)).toEqual(lines);
    },
  );

  it('counts steps if no model is used', () => {
    const holds = { toolAllowList: 'enforced', maxTurns: 'exact' } as const;
    expect(bannerOf(policy, fullCapability, { holds, runsSteps: true }).split('\n')).toContain(
      `At most ${fullCapability.maxTurns} steps per turn. The playbook uses no AI.`,
    );
  });

  it('does not warn about Bash if it cannot run', () => {
    expect(bannerOf(policy, { ...fullCapability, permissionMode: 'plan' })).not.toContain(
      'Bash is not',
    );
    expect(bannerOf(policy, { ...fullCapability, tools: ['Read'] })).not.toContain('Bash');
  });
});
