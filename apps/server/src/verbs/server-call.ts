import { createSystemClock, type Issue } from '@svc/core';
import { type CallServer, createServerCaller } from '../call-server.ts';
import { lastUse } from '../earlier-node.ts';
import { requireHome } from '../home.ts';
import { type InstanceFile, readInstanceFile } from '../instance-file.ts';
import { requireUnshared } from '../shared-home.ts';
import { CommandError } from '../terminal.ts';
import type { VerbContext } from './context.ts';

/** Posts to the server that runs for this home; one that does not run is an error. */
export async function post(context: VerbContext, path: string, body: object): Promise<unknown> {
  return askServer(context, await requireServer(context), { method: 'POST', path, body });
}

/**
 * The server that runs for a home, whatever it was started with; null where none does, and the home can be opened with these
 * settings.
 *
 * @throws ServerError `other_folder`, `no_home`, `no_projects`
 */
export async function serverOf({ home, settings }: VerbContext): Promise<InstanceFile | null> {
  const server = await readInstanceFile(home.instanceFile);
  if (server !== null) return server;
  await requireUnshared(home, settings);
  await requireHome(home);
  return null;
}

/**
 * The server that runs for a home; one that does not run is an error.
 *
 * @throws CommandError; ServerError `no_home`, `no_projects`
 */
export async function requireServer({ home }: VerbContext): Promise<InstanceFile> {
  const server = await readInstanceFile(home.instanceFile);
  if (server !== null) return server;
  if ((await lastUse(home)) === null) await requireHome(home);
  throw new CommandError('No server runs for this home: start svc serve.');
}

/** What calls the server that runs for a home; null where none does, or its file cannot be read. */
export async function callerOf(instanceFile: string): Promise<CallServer | null> {
  const server = await readInstanceFile(instanceFile).catch(() => null);
  return server === null ? null : callerTo(server, instanceFile);
}

/** What calls a server, also once its certificate is renewed. */
export function callerTo(server: InstanceFile, instanceFile: string): CallServer {
  return createServerCaller(server, createSystemClock(), () => readInstanceFile(instanceFile));
}

/** What a server is asked. */
export interface ServerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** Asks a server; what it refuses is thrown in its words. */
export async function askServer(
  { home }: VerbContext,
  server: InstanceFile,
  { method, path, body }: ServerRequest,
): Promise<unknown> {
  const answer = await callerTo(server, home.instanceFile)(method, path, body);
  if (answer.status < 300) return answer.body;
  const { error = `The server answered ${answer.status}.`, issues = [] } = answer.body as {
    readonly error?: string;
    readonly issues?: readonly Issue[];
  };
  throw refused(error, issues);
}

/** What was refused, with each of its faults. */
export function refused(error: string, issues: readonly Issue[] = []): CommandError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join(' ');
  return new CommandError(faults === '' ? error : faults);
}
