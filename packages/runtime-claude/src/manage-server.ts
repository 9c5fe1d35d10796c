import type { McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk';
import type { OperationEffects, Toolset } from '@svc/agent-runtime';
import { isRecord, messageOf } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import { OWN_VERSION } from './version.ts';

/** Name of the server, which stands in the names of its tools. */
export const MANAGE_SERVER = 'svc_manage';

// The part of a transport of the protocol library that the SDK hands over.
interface Transport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
}

interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the server of one turn works with. */
export interface ManageServerParts {
  readonly toolset: Toolset;
  /** Full names of those that the turn has. */
  readonly held: readonly string[];
  readonly effects: OperationEffects;
  readonly signal: AbortSignal;
}

/**
 * The operations of a turn as a server of the Model Context Protocol inside this process. It answers the four methods
 * that the SDK asks for; a whole protocol library would cost each turn more memory than all else here.
 */
export function createManageServer(parts: ManageServerParts): McpSdkServerConfigWithInstance {
  const instance = {
    async connect(transport: Transport): Promise<void> {
      transport.onmessage = (message) => {
        const request = requestOf(message);
        if (request !== null) void reply(parts, transport, request);
      };
      await transport.start();
    },
  };
  // The SDK calls `connect` alone.
  return {
    type: 'sdk',
    name: MANAGE_SERVER,
    instance,
  } as unknown as McpSdkServerConfigWithInstance;
}

function requestOf(message: unknown): Request | null {
  if (!isRecord(message) || typeof message['method'] !== 'string') return null;
  const { id, method, params } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  return { id, method, params: isRecord(params) ? params : {} };
}

async function reply(parts: ManageServerParts, transport: Transport, request: Request) {
  const head = { jsonrpc: '2.0', id: request.id };
  const answer = await answerOf(parts, request).catch((error: unknown) => ({
    error: { code: -32603, message: messageOf(error) },
  }));
  // When the turn is over nobody waits for the answer.
  await transport.send({ ...head, ...answer }).catch(() => {});
}

async function answerOf(parts: ManageServerParts, { method, params }: Request): Promise<object> {
  switch (method) {
    case 'initialize':
      return { result: welcome(params['protocolVersion']) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: toolsOf(parts) } };
    case 'tools/call':
      return { result: await call(parts, params) };
    default:
      return { error: { code: -32601, message: `There is no method ${method}.` } };
  }
}

function welcome(protocolVersion: unknown): object {
  const serverInfo = { name: MANAGE_SERVER, version: OWN_VERSION };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function toolsOf({ toolset, held, effects }: ManageServerParts): readonly object[] {
  return toolset.tools
    .filter(({ name }) => held.includes(name))
    .map(({ name: full, description, inputSchema }) => {
      const name = full.slice(MANAGE_PREFIX.length);
      const readOnlyHint = effects[name]?.effect === 'reads';
      return { name, description, inputSchema, annotations: { readOnlyHint } };
    });
}

async function call(parts: ManageServerParts, params: Request['params']): Promise<object> {
  const name = `${MANAGE_PREFIX}${String(params['name'])}`;
  const given = parts.toolset.tools.some((tool) => tool.name === name);
  const { text, isError } =
    given && parts.held.includes(name)
      ? await parts.toolset.call(name, params['arguments'] ?? {}, parts.signal)
      : { text: `This turn has no tool ${name}.`, isError: true };
  return { content: [{ type: 'text', text }], isError };
}
