import { isRecord } from '@svc/core';
import { AgentFault } from './agent-fault.ts';
import { chooseModel, type ModelChoice } from './choose-model.ts';
import { type Connection, RpcError } from './connection.ts';
import { type Fields, fieldsOf, textOf } from './json.ts';

/** A session in which a turn can begin. */
export interface OpenSession extends ModelChoice {
  readonly id: string;
  /** Whether the agent knows what was said in it before. */
  readonly resumed: boolean;
  /** Whether the agent takes the operations over HTTP. */
  readonly takesOperations: boolean;
}

/** What a session is opened with. */
export interface SessionWish {
  readonly cwd: string;
  /** Session to go on with; null for a new one. */
  readonly resume: string | null;
  /** The model that the turn asks for; null for none. */
  readonly model: string | null;
  /** The model that the agent is said to use; null for none. */
  readonly usual: string | null;
  /** The MCP server of the operations; null where there are none. */
  operations(): Promise<object | null>;
}

const VERSION = 1;
const CLIENT = {
  protocolVersion: VERSION,
  // What an agent reads, writes and runs is by its own hands, which are those of its user.
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'svc', title: 'svc', version: '1' },
};
const AUTH_REQUIRED = -32000;

/** Greets an agent and opens a session in it. Throws an `AgentFault`. */
export async function openSession(connection: Connection, wish: SessionWish): Promise<OpenSession> {
  const hello = await connection.request('initialize', CLIENT).catch(asFault);
  if (hello['protocolVersion'] !== VERSION) {
    const spoken = JSON.stringify(hello['protocolVersion'] ?? null);
    throw new AgentFault(
      `The agent speaks version ${spoken} of the Agent Client Protocol, and svc speaks ${VERSION}.`,
    );
  }
  const abilities = fieldsOf(hello['agentCapabilities']);
  const takesOperations = fieldsOf(abilities['mcpCapabilities'])['http'] === true;
  const server = takesOperations ? await wish.operations() : null;
  const place = { cwd: wish.cwd, mcpServers: server === null ? [] : [server] };
  const again = await resumed(connection, abilities, wish.resume, place);
  const opened = again ?? (await connection.request('session/new', place).catch(asFault));
  const id = again === null ? textOf(opened['sessionId']) : wish.resume;
  if (id === null) throw new AgentFault('The agent opened a session without an id.');
  const choice = await chooseModel(connection, id, opened, wish).catch(asFault);
  return { id, resumed: again !== null, takesOperations, ...choice };
}

// An agent that has lost a session, as after an update, is told what was said in a new one.
async function resumed(
  connection: Connection,
  abilities: Fields,
  sessionId: string | null,
  place: object,
): Promise<Fields | null> {
  const method = isRecord(fieldsOf(abilities['sessionCapabilities'])['resume'])
    ? 'session/resume'
    : abilities['loadSession'] === true
      ? 'session/load'
      : null;
  if (sessionId === null || method === null) return null;
  try {
    return await connection.request(method, { sessionId, ...place });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

function asFault(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  throw new AgentFault(
    error.code === AUTH_REQUIRED
      ? `The agent wants somebody to sign in (${error.message}): sign in by its own program as the user whom agents run as, or give it a key through env.`
      : `The agent could not begin: ${error.message}`,
  );
}
