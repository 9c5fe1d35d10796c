import { createSystemClock, type Issue, silentLogger } from '@svc/core';
import { type RowName, USER } from '@svc/ops';
import { type CallServer, createServerCaller, peerOf } from '../call-server.ts';
import { lastUse } from '../earlier-node.ts';
import { requireHome } from '../home.ts';
import { fetchFrom } from '../http-peer.ts';
import { type Instance, openInstance } from '../instance.ts';
import { readInstanceFile } from '../instance-file.ts';
import { createRemoteCaller, remotePeer } from '../remote.ts';
import { requireUnshared } from '../shared-home.ts';
import { CommandError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** One operation, as it is asked for over REST and inside. */
export interface Asked {
  readonly row: RowName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly input: object;
}

/** A server that runs. */
export interface ReachedServer {
  /** Where it is. */
  readonly url: string;
  readonly call: CallServer;
  /** Makes requests as `fetch` does, to read a stream. */
  readonly fetch: ReturnType<typeof fetchFrom>;
}

/** The service that a command works with: a server that runs, or the home, opened by the command itself. */
export interface Reach {
  /** null where the command has the home open itself. */
  readonly server: ReachedServer | null;
  /**
   * Has an operation done.
   *
   * @throws CommandError with the sentence of a refusal
   */
  ask<T>(asked: Asked): Promise<T>;
  close(): Promise<void>;
}

/**
 * The server at `--url`, or the one that runs for the home, whatever it was started with; null where none does, and the home
 * can be opened with these settings.
 *
 * @throws ServerError `other_folder`, `no_home`, `no_projects`
 */
export async function serverOf(context: VerbContext): Promise<ReachedServer | null> {
  const server = await runningServer(context);
  if (server !== null) return server;
  await requireUnshared(context.home, context.settings);
  await requireHome(context.home);
  return null;
}

/** As `serverOf`; that none runs is an error. */
export async function requireServer(context: VerbContext): Promise<ReachedServer> {
  const server = await runningServer(context);
  if (server !== null) return server;
  if ((await lastUse(context.home)) === null) await requireHome(context.home);
  throw new CommandError('No server is running for this home. Start one with svc serve.');
}

async function runningServer({ options, env, home }: VerbContext): Promise<ReachedServer | null> {
  const { url, token } = options;
  if (typeof url === 'string') {
    const peer = remotePeer(url, typeof token === 'string' ? token : null, env);
    const call = createRemoteCaller(peer, createSystemClock());
    return { url: peer.url, call, fetch: fetchFrom(async () => peer) };
  }
  const instance = await readInstanceFile(home.instanceFile);
  if (instance === null) return null;
  const again = () => readInstanceFile(home.instanceFile);
  const { url: address } = instance;
  return {
    url: address,
    call: createServerCaller(instance, createSystemClock(), again),
    fetch: fetchFrom(async () => ({ ...peerOf((await again()) ?? instance), url: address })),
  };
}

/** The service where a server runs; null where none does. */
export async function reachRunning(context: VerbContext): Promise<Reach | null> {
  const server = await serverOf(context);
  return server === null ? null : throughServer(server);
}

/** Does something with the service, and lets go of it. */
export async function withReach<T>(
  context: VerbContext,
  work: (reach: Reach) => Promise<T>,
): Promise<T> {
  const server = await serverOf(context);
  const reach = server === null ? insideOf(context) : throughServer(server);
  try {
    return await work(reach);
  } finally {
    await reach.close();
  }
}

/** Has one operation done. */
export function ask<T>(context: VerbContext, asked: Asked): Promise<T> {
  return withReach(context, (reach) => reach.ask<T>(asked));
}

function throughServer(server: ReachedServer): Reach {
  return {
    server,
    ask: async <T>({ method, path, body }: Asked) =>
      (await answerOf(server.call, method, path, body)) as T,
    close: async () => {},
  };
}

/** The body of a success; what is refused is thrown in its words. */
export async function answerOf(
  call: CallServer,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await call(method, path, body);
  if (answer.status < 300) return answer.body;
  const { error = `The server answered ${answer.status}.`, issues = [] } = answer.body as {
    readonly error?: string;
    readonly issues?: readonly Issue[];
  };
  throw refused(error, issues);
}

/** What was refused, with each of its faults. */
function refused(error: string, issues: readonly Issue[] = []): CommandError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join(' ');
  return new CommandError(faults === '' ? error : faults);
}

function insideOf({ home, settings, env, version }: VerbContext): Reach {
  let opened: Promise<Instance> | null = null;
  return {
    server: null,
    async ask<T>({ row, input }: Asked) {
      opened ??= openInstance({ home, settings, env, version, logger: silentLogger });
      const { ops } = await opened;
      const { signal } = new AbortController();
      const answer = await ops.operations.call({ ...USER, face: 'cli' }, row, input, { signal });
      if (!answer.ok) throw refused(answer.error.message, answer.error.issues);
      return answer.value as T;
    },
    async close() {
      await (await opened?.catch(() => null))?.close(0);
    },
  };
}
