import { type Api, ApiError, bodyOf, createApi } from '@svc/client';
import { createSystemClock, type Issue } from '@svc/core';
import type { CommandContext, Server } from './context.ts';
import type { Fetch } from './peer.ts';
import { remoteServer } from './remote-server.ts';
import { CommandError, UsageError } from './terminal.ts';

/** The operations of the service, through a running server or in this process. */
export interface Service {
  readonly api: Api;
  /** null: this process has opened the home. */
  readonly server: Server | null;
}

/** The server at `--url`, or the running server of the home, whatever its settings; null: none runs. */
async function serverOf({ options, env, service }: CommandContext): Promise<Server | null> {
  const { url, token } = options;
  if (typeof url !== 'string') {
    if (token !== undefined) throw new UsageError('--token requires --url.');
    return service.running();
  }
  const clock = createSystemClock();
  return remoteServer(url, typeof token === 'string' ? token : null, { env, clock });
}

/**
 * The server at `--url`, or the running server of the home.
 *
 * @throws CommandError if none runs
 */
export async function requireServer(
  context: CommandContext,
): Promise<Service & { server: Server }> {
  const server = await serverOf(context);
  if (server !== null) return { api: apiThrough(server.fetch), server };
  await context.service.require();
  throw new CommandError('No server is running for this home. Start one with svc serve.');
}

/** The operations of a running server; null if none runs. */
export async function accessRunningServer(context: CommandContext): Promise<Api | null> {
  const server = await serverOf(context);
  return server === null ? null : apiThrough(server.fetch);
}

/**
 * Runs work with the operations of the service: through a server, or, if none runs, in this process.
 *
 * @param options `runsTurns`: run queued turns in this process, and let them end
 */
export async function withService<T>(
  context: CommandContext,
  work: (service: Service) => Promise<T>,
  { runsTurns = false }: { readonly runsTurns?: boolean } = {},
): Promise<T> {
  const server = await serverOf(context);
  if (server !== null) return work({ api: apiThrough(server.fetch), server });
  const home = await context.service.open({ runsTurns });
  try {
    return await work({ api: apiThrough(home.fetch), server: null });
  } finally {
    await home.close();
  }
}

/** The client of a server whose `fetch` determines the address. */
function apiThrough(fetch: Fetch): Api {
  return createApi({ baseUrl: ORIGIN, fetch });
}

/** An origin for requests whose `fetch` determines the address. */
export const ORIGIN = 'http://svc.invalid';

/**
 * Returns the body of a successful response, which must have these fields.
 *
 * @throws CommandError with the message of any other response
 */
export async function answerOf<T>(
  pending: Promise<Parameters<typeof bodyOf<T>>[0]>,
  ...fields: readonly (keyof T & string)[]
): Promise<T> {
  const answer = await pending;
  try {
    return withFields(bodyOf(answer), fields);
  } catch (error) {
    throw error instanceof ApiError ? refused(error) : error;
  }
}

/**
 * A body that has these fields.
 *
 * @throws CommandError if it does not, because it is not from an svc server
 */
export function withFields<T>(body: T, fields: readonly (keyof T & string)[]): T {
  const missing = fields.find((field) => Object(body)[field] === undefined);
  if (missing === undefined) return body;
  throw new CommandError(
    `The answer has no field "${missing}". Check the address: it may not be an svc server, or one of another version.`,
  );
}

/** An error with the individual issues of a refused request. */
function refused({ message, issues }: ApiError): CommandError {
  const faults = issues.map(({ path, message: fault }: Issue) => `${path} ${fault}`).join(' ');
  return new CommandError(faults === '' ? message : faults);
}
