import { createSystemClock, type Issue, silentLogger } from '@svc/core';
import { type RowName, USER } from '@svc/ops';
import { type CallServer, createServerCaller, peerOf } from '../call-server.ts';
import { requireHome } from '../home.ts';
import { fetchFrom } from '../http-peer.ts';
import { type Instance, openInstance } from '../instance.ts';
import { readInstanceFile } from '../instance-file.ts';
import { readLastUse } from '../last-use.ts';
import { createRemoteCaller, remotePeer } from '../remote-peer.ts';
import { requireUnshared } from '../shared-home.ts';
import { CommandError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** One operation, with its REST request and its input for a call in this process. */
export interface OperationRequest {
  readonly row: RowName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly input: object;
}

/** A running server. */
export interface RunningServer {
  /** Its address. */
  readonly url: string;
  readonly call: CallServer;
  /** Like the global `fetch`; used for streams. */
  readonly fetch: ReturnType<typeof fetchFrom>;
}

/** Access to operations: through a running server, or in this process. */
export interface ServiceAccess {
  /** null: the command opens the home itself. */
  readonly server: RunningServer | null;
  /**
   * Runs an operation.
   *
   * @throws CommandError with the message of the server if the operation is refused
   */
  call<T>(request: OperationRequest): Promise<T>;
  close(): Promise<void>;
}

/**
 * The server at `--url`, or the running server of the home, whatever its settings. Null if none runs, and the home can be
 * opened with these settings.
 *
 * @throws ServerError `other_folder`, `no_home`, `no_projects`
 */
export async function serverOf(context: VerbContext): Promise<RunningServer | null> {
  const server = await runningServer(context);
  if (server !== null) return server;
  await requireUnshared(context.home, context.settings);
  await requireHome(context.home);
  return null;
}

/** Like `serverOf`, but throws if no server runs. */
export async function requireServer(context: VerbContext): Promise<RunningServer> {
  const server = await runningServer(context);
  if (server !== null) return server;
  if ((await readLastUse(context.home)) === null) await requireHome(context.home);
  throw new CommandError('No server is running for this home. Start one with svc serve.');
}

async function runningServer({ options, env, home }: VerbContext): Promise<RunningServer | null> {
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

/** Access through a running server; null if none runs. */
export async function accessRunningServer(context: VerbContext): Promise<ServiceAccess | null> {
  const server = await serverOf(context);
  return server === null ? null : throughServer(server);
}

/** Runs work with access to operations, and closes it afterwards. */
export async function withService<T>(
  context: VerbContext,
  work: (service: ServiceAccess) => Promise<T>,
): Promise<T> {
  const server = await serverOf(context);
  const service = server === null ? inProcess(context) : throughServer(server);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Runs one operation. */
export function callService<T>(context: VerbContext, request: OperationRequest): Promise<T> {
  return withService(context, (service) => service.call<T>(request));
}

function throughServer(server: RunningServer): ServiceAccess {
  return {
    server,
    call: async <T>({ method, path, body }: OperationRequest) =>
      (await answerOf(server.call, method, path, body)) as T,
    close: async () => {},
  };
}

/**
 * Returns the body of a successful response.
 *
 * @throws CommandError with the message of any other response
 */
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

/** An error with the individual issues of a refused request. */
function refused(error: string, issues: readonly Issue[] = []): CommandError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join(' ');
  return new CommandError(faults === '' ? error : faults);
}

function inProcess({ home, settings, env, version }: VerbContext): ServiceAccess {
  let opened: Promise<Instance> | null = null;
  return {
    server: null,
    async call<T>({ row, input }: OperationRequest) {
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
