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

// Written out by hand from the rules, once for each tool, mode and depth.
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

// Every combination that there is for one tool.
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

  it('has no operation that its catalogue does not know, whatever is listed', () => {
    const { decide } = createToolPolicy({ list_chats: { effect: 'reads' } });
    expect(decide(fullCapability, 0, manage('list_chats')).verdict).toBe('run');
    expect(decide(fullCapability, 0, manage('run_trigger')).verdict).toBe('absent');
    const odd = { ...fullCapability, tools: [manage('toString'), manage('__proto__')] };
    for (const name of odd.tools) expect(decide(odd, 0, name).verdict).toBe('absent');
  });

  it('lets nothing of an unknown name run under plan', () => {
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
  it('tells people what a scoped agent may do, and that Bash is not confined', () => {
    const capability = { ...fullCapability, tools: ['Read', 'Bash'], maxTurns: 1 };
    expect(bannerOf(policy, capability)).toBe(
      [
        'Runs as an agent of its own, trigger-demo-nightly.',
        'Tools: Read, Bash.',
        'Permission mode: default. Listed tools run without asking.',
        'At most 1 model call in one turn.',
        'It may not start turns.',
        'File tools stay inside the project folder.',
        'Bash is not confined: it reaches everything that the user it runs as can reach.',
      ].join('\n'),
    );
  });

  it.each([
    ['no tools', { tools: [] }, 'Tools: none. It can only answer.'],
    ['the keeper', { runsAs: 'keeper', agentName: null }, 'Runs as the keeper.'],
    ['plan', { permissionMode: 'plan' }, 'Permission mode: plan. Only reading tools run.'],
    ['a spawn depth', { maxSpawnDepth: 2 }, 'It may start turns, down to depth 2.'],
    ['spawn depth 0', { maxSpawnDepth: 0 }, 'It may not start turns.'],
    [
      'a fired keeper',
      { runsAs: 'keeper' },
      'Runs as the keeper, started as trigger-demo-nightly.',
    ],
  ] as const)('speaks of %s', (_, parts, line) => {
    expect(bannerOf(policy, { ...fullCapability, ...parts }).split('\n')).toContain(line);
  });

  it.each([
    [
      'brings its own tools along',
      { toolAllowList: 'none', maxTurns: 'none' },
      false,
      [
        'Tools: whatever its command brings along. Nothing limits them.',
        'Its model calls are not counted.',
        'It is not confined: it reaches everything that the user it runs as can reach.',
      ],
    ],
    [
      'asks before some of what it does',
      { toolAllowList: 'asked', maxTurns: 'approximate' },
      false,
      [
        'Tools: Read, Bash, where it asks first. What it does unasked is not limited.',
        'Permission mode: default. Listed tools run without asking.',
        'At most about 1 model call in one turn, counted by rounds of tool calls.',
        'It may not start turns.',
        'It is not confined: it reaches everything that the user it runs as can reach.',
      ],
    ],
  ] as const)(
    'promises nothing that a runtime does not hold: its agent %s',
    (_, holds, runsSteps, lines) => {
      const capability = { ...fullCapability, tools: ['Read', 'Bash'], maxTurns: 1 };
      const said = bannerOf(policy, capability, { holds, runsSteps }).split('\n');
      expect(said.slice(1)).toEqual(lines);
    },
  );

  it('counts steps where no AI is asked', () => {
    const holds = { toolAllowList: 'enforced', maxTurns: 'exact' } as const;
    expect(bannerOf(policy, fullCapability, { holds, runsSteps: true }).split('\n')).toContain(
      `At most ${fullCapability.maxTurns} steps in one turn, without AI.`,
    );
  });

  it('does not warn of a Bash that cannot run', () => {
    expect(bannerOf(policy, { ...fullCapability, permissionMode: 'plan' })).not.toContain(
      'Bash is not',
    );
    expect(bannerOf(policy, { ...fullCapability, tools: ['Read'] })).not.toContain('Bash');
  });
});
