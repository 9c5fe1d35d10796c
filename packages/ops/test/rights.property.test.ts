import { describe, expect, it, jest } from '@jest/globals';
import { type Caller, USER } from '@svc/ops';
import { type Capability, type ClientBound, MANAGE_PREFIX } from '@svc/records';
import fc from 'fast-check';
import { callAs, client, NEVER } from './calls.ts';
import { type World, withWorld } from './harness.ts';
import { withRepos } from './repos.ts';

jest.setTimeout(120_000);

const OPERATIONS = [
  'set_trigger',
  'run_trigger',
  'create_chat',
  'fork_chat',
  'send_message',
  'create_project',
  'archive_chat',
];
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
  return isFree
    ? ANY
    : { ...ANY, bounds: [{ projects, denyProjects, maxSpawnDepth }], depth: maxSpawnDepth };
}

function rightsOfTurn({ runsAs, tools, bounds = [], maxSpawnDepth }: Capability): Rights {
  const depths = bounds.flatMap((bound) => bound.maxSpawnDepth ?? []);
  const least = depths.length === 0 ? null : Math.min(...depths);
  return runsAs === 'agent'
    ? { bounds, tools, depth: maxSpawnDepth }
    : { bounds, tools: null, depth: least };
}

/** What triggers that a turn at some depth stores may have: they fire at depth 0, with no more levels below. */
function leftAt(at: number, { bounds, tools, depth }: Rights): Rights {
  const left = (limit: number | null) => (limit === null ? null : Math.max(0, limit - at));
  return {
    bounds: bounds.map((bound) => ({ ...bound, maxSpawnDepth: left(bound.maxSpawnDepth) })),
    tools,
    depth: left(depth),
  };
}

function within(turn: World['runtime']['turns'][number], { bounds, tools, depth }: Rights): void {
  const { capability, project } = turn.spec;
  expect(capability.bounds ?? []).toEqual(expect.arrayContaining([...bounds]));
  for (const { projects, denyProjects } of bounds) {
    const fits = (pattern: string) =>
      pattern === project || (pattern.endsWith('*') && project.startsWith(pattern.slice(0, -1)));
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

type HeldTurn = World['runtime']['turns'][number];

function triggerOf({ spec }: HeldTurn): string | null {
  const start = `trigger-${spec.project}-`.length;
  const name = spec.runId === null ? null : spec.capability.agentName?.slice(start);
  return name == null ? null : `${spec.project}/${name}`;
}

/** Goes through steps of one world, and holds each turn against who brought it about. */
class Walk {
  readonly counts = { turns: 0, cloned: 0, refused: 0 };
  readonly #world: World;
  /** Who gave each trigger its definition last. */
  readonly #origins = new Map<string, Rights>();
  /** Triggers of clones that were set by nothing since. */
  readonly #cloned = new Set<string>();
  #held: HeldTurn | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  async take(given: Step): Promise<void> {
    const { who, what } = given;
    const caller = CLIENTS[who];
    if (what === 'time') {
      await this.#world.clock.advance(60_000);
      return this.#settle(ANY, given.hold);
    }
    const own = this.#held?.spec.capability;
    const depth = caller === undefined ? (this.#held?.spec.depth ?? 0) : 0;
    const rights = caller === undefined ? own && rightsOfTurn(own) : rightsOf(caller);
    if (rights === undefined) return;
    const isDone = await this.#call(caller, what, await this.#argsOf(given));
    if (what === 'create_project') this.#noteClone(given, caller, isDone);
    if (what === 'set_trigger' && isDone) this.#noteSet(given, leftAt(depth, rights));
    await this.#settle(rights, given.hold);
  }

  async end(): Promise<void> {
    this.#release();
    await this.#world.until(() => this.#world.ops.load().running === 0);
  }

  #noteClone({ project }: Step, caller: Caller | undefined, isDone: boolean): void {
    this.counts[isDone ? 'cloned' : 'refused'] += 1;
    if (!isDone) return;
    expect(caller).toBe(CLIENTS[0]);
    for (const name of ['x', 'y', 'z', 'old']) this.#cloned.add(`${project}/${name}`);
  }

  #noteSet({ project, name }: Step, rights: Rights): void {
    this.#origins.set(`${project}/${name}`, rights);
    this.#cloned.delete(`${project}/${name}`);
  }

  #release(): void {
    this.#held?.end();
    this.#held = null;
  }

  async #settle(rights: Rights, hold: boolean): Promise<void> {
    const { ops, runtime } = this.#world;
    // A turn that is about to begin is for a moment neither queued nor running.
    let calm = 0;
    for (let looks = 0; calm < 15; looks += 1) {
      const { running, queued } = ops.load();
      const turn = runtime.turns[this.counts.turns];
      const least = this.#held === null ? 0 : 1;
      const isCalm = turn === undefined && running <= least && queued === 0;
      calm = isCalm ? calm + 1 : 0;
      // What waits for the chat of the turn that is held begins once that has ended.
      if (turn === undefined && !isCalm && looks > 80) this.#release();
      if (turn === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
      else await this.#begun(turn, rights, hold);
    }
  }

  async #begun(turn: HeldTurn, rights: Rights, hold: boolean): Promise<void> {
    this.counts.turns += 1;
    const trigger = triggerOf(turn);
    within(turn, (trigger === null ? null : this.#origins.get(trigger)) ?? ANY);
    // An event or a schedule comes of no call, and does what the trigger says; nothing that was cloned and not set since may.
    const { runId, project } = turn.spec;
    const run = runId === null ? null : await this.#world.store.runs.get(project, runId);
    if (run === null || run.cause === 'manual') within(turn, rights);
    else expect([...this.#cloned]).not.toContain(trigger);
    if (this.#held === null && hold) this.#held = turn;
    else turn.end();
  }

  async #call(caller: Caller | undefined, name: string, args: object): Promise<boolean> {
    if (caller !== undefined) return (await callAs(this.#world.ops, caller, name, args)).ok;
    const answer = await this.#held?.spec.toolset?.call(MANAGE_PREFIX + name, args, NEVER);
    return answer?.isError === false;
  }

  async #argsOf({ what, project, name, tools, depth }: Step): Promise<object> {
    const max = depth === null ? {} : { max_spawn_depth: depth };
    const args: Readonly<Record<string, object>> = {
      create_project: { name: 'New', slug: project, repo: REPO },
      create_chat: { project, prompt: 'x' },
      run_trigger: { project, name },
      set_trigger: { project, name, interval: '1m', prompt: 'x', tools, enabled: true, ...max },
    };
    const session_id = await this.#chatIn(project);
    return args[what] ?? { session_id, ...(what === 'archive_chat' ? {} : { prompt: 'x' }) };
  }

  async #chatIn(project: string): Promise<string | null> {
    const { operations } = this.#world.ops;
    const listed = await operations.call(USER, 'list_chats', { project }, { signal: NEVER });
    return listed.ok ? (listed.value.chats[0]?.sessionId ?? null) : null;
  }
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
            const walk = new Walk(world);
            for (const each of steps) await walk.take(each);
            await walk.end();
            for (const key of ['turns', 'cloned', 'refused'] as const)
              totals[key] += walk.counts[key];
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
