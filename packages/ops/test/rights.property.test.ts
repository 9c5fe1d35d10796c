import { describe, expect, it, jest } from '@jest/globals';
import { type Caller, USER } from '@svc/ops';
import { type Capability, type ClientBound, MANAGE_PREFIX } from '@svc/records';
import fc from 'fast-check';
import { type CallResult, callAs, client, NEVER } from './calls.ts';
import { type World, withWorld } from './harness.ts';
import { withRepos } from './repos.ts';

jest.setTimeout(120_000);

const OPERATIONS = ['set_trigger', 'run_trigger', 'create_chat', 'fork_chat', 'send_message', 'create_project', 'archive_chat'];
const MANAGE = OPERATIONS.map((name) => MANAGE_PREFIX + name);
const REPO = 'https://example.com/it.git';
/** What a repository brings: everything that its author would like. */
const HOSTILE = `hooksMcpEnabled: true
maxSpawnDepth: 8
keeper: { permissionMode: bypassPermissions }
base: &base { trigger: { type: schedule, interval: 1m }, run: { prompt: x, tools: [Bash], maxSpawnDepth: 8 }, enabled: true }
triggers: { x: *base, y: { <<: *base }, z: { trigger: { type: event, on: onArchive }, run: { prompt: x, tools: [Bash] }, enabled: true } }
schedules: { old: { type: interval, interval: 1m, prompt: x } }
`;
const DEMO = `maxSpawnDepth: 2
triggers:
  agent:
    trigger: { type: event, on: onArchive }
    run: { prompt: x, tools: [Read, ${MANAGE.join(', ')}], maxTurns: 5, maxSpawnDepth: 1 }
    enabled: true
  keeper:
    trigger: { type: schedule, cron: "0 0 1 1 *" }
    run: { prompt: x }
    enabled: true
`;

const SCOPES: readonly object[] = [
  { allow: ['*'] },
  { allow: ['*'], projects: ['box-*', 'demo'] },
  { allow: ['*'], projects: ['box-*'], maxSpawnDepth: 0 },
  { allow: ['*'], denyProjects: ['secret'], maxSpawnDepth: 1 },
];
const CLIENTS = SCOPES.map((scope, n) => client(scope, `client-${n}`));
const PROJECTS = ['demo', 'box-1', 'secret', 'box-new'];
const TOOLS = [[], ['Read'], ['Bash', 'Read'], MANAGE.slice(0, 3), ['Read', ...MANAGE]];

/** What a turn that comes of something may have at most; null: whatever the service gives. */
interface Rights {
  readonly bounds: readonly ClientBound[];
  readonly tools: readonly string[] | null;
  readonly depth: number | null;
}

const ANY: Rights = { bounds: [], tools: null, depth: null };

function rightsOf({ scope }: Caller): Rights {
  const { projects, denyProjects, maxSpawnDepth } = scope;
  const isFree = projects.includes('*') && denyProjects.length === 0 && maxSpawnDepth === null;
  return isFree ? ANY : { ...ANY, bounds: [{ projects, denyProjects, maxSpawnDepth }], depth: maxSpawnDepth };
}

function rightsOfTurn({ runsAs, tools, bounds = [], maxSpawnDepth }: Capability): Rights {
  const depths = bounds.flatMap((bound) => bound.maxSpawnDepth ?? []);
  const least = depths.length === 0 ? null : Math.min(...depths);
  return runsAs === 'agent' ? { bounds, tools, depth: maxSpawnDepth } : { bounds, tools: null, depth: least };
}

function within(turn: World['runtime']['turns'][number], { bounds, tools, depth }: Rights): void {
  const { capability, project } = turn.spec;
  expect(capability.bounds ?? []).toEqual(expect.arrayContaining([...bounds]));
  for (const { projects, denyProjects } of bounds) {
    const fits = (pattern: string) => pattern === project || (pattern.endsWith('*') && project.startsWith(pattern.slice(0, -1)));
    expect([projects.some(fits), denyProjects.some(fits)]).toEqual([true, false]);
  }
  if (tools !== null) expect(tools).toEqual(expect.arrayContaining([...capability.tools]));
  if (depth !== null) expect(capability.maxSpawnDepth).toBeLessThanOrEqual(depth);
}

const step = fc.record({
  who: fc.nat(7),
  what: fc.constantFrom(...OPERATIONS, 'set_trigger', 'create_project', 'time'),
  project: fc.constantFrom(...PROJECTS),
  name: fc.constantFrom('agent', 'keeper', 'x', 'y', 'z'),
  tools: fc.constantFrom(...TOOLS),
  depth: fc.constantFrom(null, 0, 1, 8),
  hold: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

// Each begins with an agent at work, which can act itself from then on.
const BEGIN: Step = {
  ...{ who: 1, what: 'create_chat', project: 'demo', name: 'agent' },
  ...{ tools: [], depth: null, hold: true },
};
const chain = fc
  .array(step, { minLength: 8, maxLength: 24 })
  .map((steps): readonly Step[] => [BEGIN, ...steps]);

/** Goes through steps of one world, and holds each turn against who brought it about. */
function walker({ ops, runtime, until, clock, store }: World) {
  /** Who gave each trigger its definition last. */
  const origins = new Map<string, Rights>();
  /** Triggers of clones that were set by nothing since. */
  const cloned = new Set<string>();
  const counts = { turns: 0, cloned: 0, refused: 0 };
  let seen = 0;
  let held: World['runtime']['turns'][number] | null = null;
  const release = (): void => {
    held?.end();
    held = null;
  };
  const triggerOf = ({ spec }: World['runtime']['turns'][number]): string | null => {
    const name = spec.runId === null ? null : spec.capability.agentName?.slice(`trigger-${spec.project}-`.length);
    return name == null ? null : `${spec.project}/${name}`;
  };
  const settle = async (rights: Rights, { hold }: Step): Promise<void> => {
    for (let looks = 0; ; looks += 1) {
      const { running, queued } = ops.load();
      const turn = runtime.turns[seen];
      if (turn === undefined && running <= (held === null ? 0 : 1) && queued === 0) return;
      if (turn === undefined) {
        // What waits for the chat of the turn that is held begins once that has ended.
        if (looks > 50) release();
        await new Promise((resolve) => setTimeout(resolve, 2));
        continue;
      }
      seen += 1;
      counts.turns += 1;
      const trigger = triggerOf(turn);
      within(turn, (trigger === null ? null : origins.get(trigger)) ?? ANY);
      // An event or a schedule comes of no call, and does what the trigger says; nothing that was cloned and not set since may.
      const { runId, project } = turn.spec;
      const run = runId === null ? null : await store.runs.get(project, runId);
      if (run === null || run.cause === 'manual') within(turn, rights);
      else expect([...cloned]).not.toContain(trigger);
      if (held === null && hold) held = turn;
      else turn.end();
    }
  };
  const callWith = async (who: number, name: string, args: object): Promise<CallResult | { ok: boolean }> => {
    const caller = CLIENTS[who];
    if (caller !== undefined) return callAs(ops, caller, name, args);
    const { toolset } = held?.spec ?? {};
    if (toolset == null) return { ok: false };
    const { isError } = await toolset.call(MANAGE_PREFIX + name, args, NEVER);
    return { ok: !isError };
  };
  const chatIn = async (project: string): Promise<string | null> => {
    const listed = await ops.operations.call(USER, 'list_chats', { project }, { signal: NEVER });
    return listed.ok ? (listed.value.chats[0]?.sessionId ?? null) : null;
  };
  const argsOf = async ({ what, project, name, tools, depth }: Step): Promise<object> => {
    if (what === 'create_project') return { name: 'New', slug: project, repo: REPO };
    if (what === 'create_chat') return { project, prompt: 'x' };
    if (what === 'run_trigger') return { project, name };
    const max = depth === null ? {} : { max_spawn_depth: depth };
    if (what === 'set_trigger') {
      return { project, name, interval: '1m', prompt: 'x', tools, enabled: true, ...max };
    }
    const session_id = await chatIn(project);
    return { session_id, ...(what === 'archive_chat' ? {} : { prompt: 'x' }) };
  };
  return {
    counts,
    async take(given: Step): Promise<void> {
      const { who, what, project, name } = given;
      if (what === 'time') {
        await clock.advance(60_000);
        return settle(ANY, given);
      }
      const caller = CLIENTS[who];
      if (caller === undefined && held === null) return;
      const rights = caller === undefined ? rightsOfTurn(held?.spec.capability as Capability) : rightsOf(caller);
      const done = await callWith(who, what, await argsOf(given));
      if (what === 'create_project') {
        counts[done.ok ? 'cloned' : 'refused'] += 1;
        if (done.ok) for (const each of ['x', 'y', 'z', 'old']) cloned.add(`${project}/${each}`);
        if (done.ok) expect(caller).toBe(CLIENTS[0]);
      }
      if (what === 'set_trigger' && done.ok) {
        origins.set(`${project}/${name}`, rights);
        cloned.delete(`${project}/${name}`);
      }
      await settle(rights, given);
    },
    async end(): Promise<void> {
      release();
      await until(() => ops.load().running === 0);
    },
  };
}

describe('random chains of clones, triggers, fires and chats', () => {
  // proves: rights.chains
  it('never start a turn with tools, projects or a spawn depth that their principal does not have', async () => {
    const totals = { turns: 0, cloned: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(chain, async (steps) => {
        let root = '';
        await withWorld(
          DEMO,
          async (world) => {
            root = world.root;
            world.write('box-1/project.yaml', 'name: Box\n');
            world.write('secret/project.yaml', 'name: Secret\n');
            const walk = walker(world);
            for (const each of steps) await walk.take(each);
            await walk.end();
            for (const key of ['turns', 'cloned', 'refused'] as const) totals[key] += walk.counts[key];
          },
          {
            gates: { read: true, write: true, projects: true, hooks: true },
            projects: withRepos(() => root, { [REPO]: HOSTILE }),
          },
        );
      }),
      { numRuns: 15, endOnFailure: true },
    );
    expect(totals.turns).toBeGreaterThanOrEqual(15);
    expect(totals.refused).toBeGreaterThan(5);
  });
});
