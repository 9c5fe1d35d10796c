import type * as acp from '@agentclientprotocol/sdk';
import { isRecord } from '@svc/core';
import { chooseModel, type ModelChoice } from './choose-model.ts';
import { type Fields, fieldsOf, textOf } from './json.ts';
import { AgentError, type RpcConnection, RpcError } from './rpc-connection.ts';

/** A session that is ready for a prompt. */
export interface OpenSession extends ModelChoice {
  readonly id: string;
  /** Whether the agent knows the earlier messages of the session. */
  readonly resumed: boolean;
  /** Whether the agent supports MCP servers over HTTP. */
  readonly supportsOperations: boolean;
}

/** Options of `openSession`. */
export interface SessionOptions {
  readonly cwd: string;
  /** The session to resume; null for a new one. */
  readonly resume: string | null;
  /** The model that the turn requests; null for none. */
  readonly model: string | null;
  /** The configured model of the runtime; null for none. */
  readonly defaultModel: string | null;
  /** The MCP server of the operations; null if there are none. */
  operations(): Promise<acp.McpServer | null>;
}

const VERSION = 1;
const CLIENT: acp.InitializeRequest = {
  protocolVersion: VERSION,
  // The agent accesses files and runs commands itself, with the rights of its user.
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'svc', title: 'svc', version: '1' },
};
const AUTH_REQUIRED = -32000;

/** Initializes the connection to an agent and opens a session. Throws an `AgentError`. */
export async function openSession(
  connection: RpcConnection,
  options: SessionOptions,
): Promise<OpenSession> {
  const initialized = await connection.request('initialize', CLIENT).catch(rethrow);
  if (initialized['protocolVersion'] !== VERSION) {
    const version = JSON.stringify(initialized['protocolVersion'] ?? null);
    throw new AgentError(
      `The agent speaks version ${version} of the Agent Client Protocol; svc supports version ${VERSION}.`,
    );
  }
  const capabilities = fieldsOf(initialized['agentCapabilities']);
  const supportsOperations = fieldsOf(capabilities['mcpCapabilities'])['http'] === true;
  const server = supportsOperations ? await options.operations() : null;
  const params = { cwd: options.cwd, mcpServers: server === null ? [] : [server] };
  const resumed = await tryResume(connection, capabilities, options.resume, params);
  const opened = resumed ?? (await connection.request('session/new', params).catch(rethrow));
  const id = resumed === null ? textOf(opened['sessionId']) : options.resume;
  if (id === null) throw new AgentError('The agent returned a session without an id.');
  const choice = await chooseModel(connection, id, opened, options).catch(rethrow);
  return { id, resumed: resumed !== null, supportsOperations, ...choice };
}

// An agent may have lost the session, for example after an update. Its new session then gets the chat history.
async function tryResume(
  connection: RpcConnection,
  capabilities: Fields,
  sessionId: string | null,
  params: object,
): Promise<Fields | null> {
  const method = isRecord(fieldsOf(capabilities['sessionCapabilities'])['resume'])
    ? 'session/resume'
    : capabilities['loadSession'] === true
      ? 'session/load'
      : null;
  if (sessionId === null || method === null) return null;
  try {
    return await connection.request(method, { sessionId, ...params });
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

function rethrow(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  throw new AgentError(
    error.code === AUTH_REQUIRED
      ? `The agent is not signed in (${error.message}). Sign in with its own program as the user that agents run as, or pass it a key in \`env\`.`
      : `The agent could not start the session: ${error.message}`,
  );
}
