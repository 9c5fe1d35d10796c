import type { McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk';
import type { OperationEffects, Toolset } from '@svc/agent-runtime';
import { isRecord, messageOf } from '@svc/core';
import { MANAGE_PREFIX } from '@svc/records';
import { OWN_VERSION } from './version.ts';

/** The server name, which is part of the tool names. */
export const MANAGE_SERVER = 'svc_manage';

// The part of the MCP transport interface that is needed here.
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

/** Dependencies of the server of one turn. */
export interface ManageServerParts {
  readonly toolset: Toolset;
  /** Full names of the operations that the turn may call. */
  readonly allowed: readonly string[];
  readonly effects: OperationEffects;
  readonly signal: AbortSignal;
}

/**
 * Serves the operations of a turn over the Model Context Protocol, in this process. It implements only the four methods
 * that the SDK calls, because an MCP library would need more memory per turn than the rest of this package.
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
  // The SDK only calls `connect`.
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
  const response = await respond(parts, request).catch((error: unknown) => ({
    error: { code: -32603, message: messageOf(error) },
  }));
  // The transport is closed when the turn has ended.
  await transport.send({ ...head, ...response }).catch(() => {});
}

async function respond(parts: ManageServerParts, { method, params }: Request): Promise<object> {
  switch (method) {
    case 'initialize':
      return { result: initializeResult(params['protocolVersion']) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: toolsOf(parts) } };
    case 'tools/call':
      return { result: await call(parts, params) };
    default:
      return { error: { code: -32601, message: `Method not found: ${method}.` } };
  }
}

function initializeResult(protocolVersion: unknown): object {
  const serverInfo = { name: MANAGE_SERVER, version: OWN_VERSION };
  return { protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function toolsOf({ toolset, allowed, effects }: ManageServerParts): readonly object[] {
  return toolset.tools
    .filter(({ name }) => allowed.includes(name))
    .map(({ name: fullName, description, inputSchema }) => {
      const name = fullName.slice(MANAGE_PREFIX.length);
      const readOnlyHint = effects[name]?.effect === 'reads';
      return { name, description, inputSchema, annotations: { readOnlyHint } };
    });
}

async function call(parts: ManageServerParts, params: Request['params']): Promise<object> {
  const name = `${MANAGE_PREFIX}${String(params['name'])}`;
  const exists = parts.toolset.tools.some((tool) => tool.name === name);
  const { text, isError } =
    exists && parts.allowed.includes(name)
      ? await parts.toolset.call(name, params['arguments'] ?? {}, parts.signal)
      : { text: `The ${name} tool is not available in this turn.`, isError: true };
  return { content: [{ type: 'text', text }], isError };
}
