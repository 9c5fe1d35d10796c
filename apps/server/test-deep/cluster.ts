import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '@svc/records';
import { stringify } from 'yaml';
import { type OpenHome, openHome, type Running, until } from '../test/harness.ts';
import { callTool, openWire } from '../test/wire.ts';
import { type Database, makeDatabase, type Postgres } from './postgres.ts';

/** Headers that every request needs. */
export const ACCESS = 'the-access-token-of-both-servers';

/** The token of a client of `/mcp` with all rights. */
const CLIENT = 'tok_home_0123456789abcdef0123';
const SETTINGS = {
  curator: { delay: '1s' },
  auth: { mode: 'token', tokenRef: 'env:SVC_ACCESS' },
  limits: { minInterval: '1s', concurrentTurnsPerProject: 1 },
  managementApi: {
    instanceId: 'home',
    publicUrl: 'https://svc.example.com',
    clients: { ci: { auth: { ref: 'env:CLIENT' }, scope: { allow: ['*'] } } },
  },
};

const NO_WATCH = new URL('../torture/cluster/no-watch.mjs', import.meta.url).href;

/** An answer. */
interface Reply {
  readonly status: number;
  // Each test knows the type for its request.
  readonly body: never;
  readonly headers: Headers;
}

/** One of two servers, with its own home. */
export interface Peer {
  readonly home: OpenHome;
  readonly server: Running;
  /** Its id in the cluster. */
  readonly id: string;
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The same for a project. */
  at(project: string, method: string, path: string, body?: unknown): Promise<Reply>;
  /** Starts it, also after it has ended. */
  start(): Promise<void>;
}

/** Two servers with one database and one projects folder. */
export interface Pair {
  readonly a: Peer;
  readonly b: Peer;
  readonly both: readonly [Peer, Peer];
  readonly database: Database;
  readonly projects: string;
  /** Creates a project that is owned by the given server; returns its name. */
  project(keeper: Peer, triggers: object): string;
  /** The same, and waits until it is armed. */
  armed(keeper: Peer, triggers: Readonly<Record<string, object>>): Promise<string>;
  /** A name for a project that does not exist yet. */
  free(keeper: Peer): string;
  other(peer: Peer): Peer;
  /**
   * Runs a test in four projects with a trigger each: for each combination of the server that is asked and the server that owns the
   * project.
   */
  eachWay(
    triggers: Readonly<Record<string, object>>,
    test: (asked: Peer, project: string) => Promise<void>,
  ): Promise<void>;
  /** Writes the file of a project, like a manual edit. */
  write(project: string, text: string): void;
  close(): Promise<void>;
}

/** Starts both at once. */
export async function startPair(
  postgres: Postgres,
  settings: object = {},
  env: Record<string, string> = {},
): Promise<Pair> {
  const database = await makeDatabase(postgres.url);
  const projects = mkdtempSync(join(tmpdir(), 'svc-projects-'));
  const given = {
    ...{ SVC_DATABASE_URL: database.url, SVC_PROJECTS_DIR: projects, SVC_ACCESS: ACCESS },
    ...{ NODE_OPTIONS: `--import ${NO_WATCH}`, CLIENT, ...env },
  };
  const all = { ...SETTINGS, ...settings };
  const both = [createPeer(given, all), createPeer(given, all)] as const;
  await Promise.all(both.map((peer) => peer.start()));
  const [a, b] = both;
  let count = 0;
  const write = (project: string, text: string): void => {
    const folder = join(projects, project);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.draft'), text);
    renameSync(join(folder, '.draft'), join(folder, 'project.yaml'));
  };
  const free = (keeper: Peer): string => {
    for (;;) {
      count += 1;
      const name = `p-${count}`;
      if (keeperOf(name, both) === keeper) return name;
    }
  };
  const project = (keeper: Peer, triggers: object): string => {
    const name = free(keeper);
    write(name, stringify({ triggers }));
    return name;
  };
  const armed: Pair['armed'] = async (keeper, triggers) => {
    const made = project(keeper, {});
    for (const [name, record] of Object.entries(triggers)) {
      const { status, body } = await keeper.at(made, 'PUT', `/triggers/${name}`, record);
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    }
    return made;
  };
  return {
    ...{ a, b, both, database, projects, write, free, project },
    armed,
    other: (peer) => (peer === a ? b : a),
    async eachWay(triggers, test) {
      const ways = both.flatMap((keeper) => both.map((asked) => [keeper, asked] as const));
      await Promise.all(
        ways.map(async ([keeper, asked]) => test(asked, await armed(keeper, triggers))),
      );
    },
    async close() {
      for (const { home } of both) await home.close();
      rmSync(projects, { recursive: true, force: true });
      await database.drop();
    },
  };
}

const HOLDERS = new URL('../../../packages/engine/dist/cluster/holders.js', import.meta.url).href;
const { holderOf } = (await import(HOLDERS)) as {
  holderOf(project: string, ids: readonly string[]): string | null;
};

// As the servers distribute them.
function keeperOf(project: string, peers: readonly Peer[]): Peer | undefined {
  const holder = holderOf(
    project,
    peers.map(({ id }) => id),
  );
  return peers.find(({ id }) => id === holder);
}

function createPeer(env: Record<string, string>, settings: object): Peer {
  const home = openHome();
  // Processes of killed servers are observed from outside.
  home.write('svc.config.yaml', stringify({ agents: { sandbox: { mode: 'off' } }, ...settings }));
  let server: Running | null = null;
  const running = (): Running => {
    if (server === null) throw new Error('The server was not started.');
    return server;
  };
  const ask: Peer['ask'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const access = { Authorization: `Bearer ${ACCESS}` };
    const response = await fetch(running().url + path, {
      ...{ method, headers: { ...access, ...json, ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const content = (isJson ? JSON.parse(text) : text) as never;
    return { status: response.status, body: content, headers: response.headers };
  };
  return {
    home,
    ask,
    at: (project, method, path, body) => ask(method, `/api/projects/${project}${path}`, body),
    get server() {
      return running();
    },
    get id() {
      const text = readFileSync(join(home.home, 'data/node.json'), 'utf8');
      return (JSON.parse(text) as { id: string }).id;
    },
    async start() {
      server = await home.serve(env);
    },
  };
}

/** A trigger that runs commands; its next slot is a year away. */
export function does(command: string, rest: object = {}): object {
  return {
    trigger: { type: 'schedule', interval: '365d' },
    run: { prompt: `\`\`\`bash\n${command}\n\`\`\``, tools: ['Bash'] },
    enabled: true,
    ...rest,
  };
}

/** Requests a run. */
export async function runNow(peer: Peer, project: string, trigger: string): Promise<string> {
  const { status, body } = await peer.at(project, 'POST', `/triggers/${trigger}/run`);
  if (status !== 202) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return (body as { runId: string }).runId;
}

export async function runOf(peer: Peer, project: string, id: string): Promise<Run> {
  return (await peer.at(project, 'GET', `/runs/${id}`)).body;
}

export async function runsOf(peer: Peer, project: string): Promise<Run[]> {
  return ((await peer.at(project, 'GET', '/runs?limit=100')).body as { runs: Run[] }).runs;
}

/** Waits until a run is in the given state. */
export function reaches(
  peer: Peer,
  project: string,
  id: string,
  state: Run['state'],
): Promise<Run> {
  return until(async () => {
    const run = await runOf(peer, project, id);
    return run.state === state ? run : null;
  });
}

/** A trigger that runs commands every second. */
export function everySecond(command = 'true'): object {
  return does(command, { trigger: { type: 'schedule', interval: '1s' } });
}

interface Runtime {
  readonly name: string;
  readonly armed: boolean;
  readonly nextFire: string | null;
  readonly paused: boolean;
}

/** The runtime state of the triggers of a project. */
export async function runtimeOf(peer: Peer, project: string): Promise<Runtime[]> {
  const { body } = await peer.at(project, 'GET', '/triggers/runtime');
  return (body as { runtime: Runtime[] }).runtime;
}

/** Calls a tool as a client of `/mcp`; returns the answer. */
export async function callAsClient(peer: Peer, name: string, args: object): Promise<unknown> {
  const wire = openWire(peer.server.url);
  try {
    return (await callTool(wire, CLIENT, name, args)).structuredContent;
  } finally {
    wire.end();
  }
}
