import { isRecord, type Logger, messageOf } from '@svc/core';
import type { Principal } from '@svc/mgmt-auth';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from './protocol-error.ts';
import type { ToolList, ToolLists } from './tool-lists.ts';
import type { McpAnswer, McpCallOptions, McpToolset } from './toolset.ts';

/** The caller of one request, and the tools. */
export interface ToolCaller {
  readonly principal: Principal;
  readonly toolset: McpToolset;
  readonly lists: ToolLists;
  readonly logger: Logger;
}

type Fields = Readonly<Record<string, unknown>>;
type Params = Fields | undefined;

/** The response of a tool that throws; the cause is in the log only. */
export const FAILED: McpAnswer = {
  content: [{ type: 'text', text: 'The tool failed: the reason is in the log of the server.' }],
  isError: true,
};

/** Handles `tools/list`; there is one page. */
export function listTools(caller: ToolCaller, params: Params): ToolList {
  if (params?.['cursor'] !== undefined) {
    const message = 'Unknown cursor: tools/list has one page, ask for it without a cursor';
    throw new ProtocolError(INVALID_PARAMS, message);
  }
  try {
    return caller.lists.resultOf(caller.toolset.list(caller.principal));
  } catch (error) {
    caller.logger.error({ error: messageOf(error) }, 'list of tools failed');
    throw new ProtocolError(INTERNAL_ERROR, 'The tools cannot be listed now');
  }
}

/** The error in the parameters of `tools/call`, in one sentence; null if they are valid. */
export function callProblem(params: Params): string | null {
  if (typeof params?.['name'] !== 'string') {
    return 'tools/call needs the name of a tool as a string';
  }
  const args = params['arguments'];
  return args === undefined || isRecord(args)
    ? null
    : 'tools/call needs its arguments as an object';
}

/** Handles `tools/call`; always returns a response, whatever the tool does. */
export async function callTool(
  caller: ToolCaller,
  params: Params,
  options: McpCallOptions,
): Promise<McpAnswer> {
  const problem = callProblem(params);
  if (problem !== null) throw new ProtocolError(INVALID_PARAMS, problem);
  const { name, arguments: args = {} } = params as { name: string; arguments?: Fields };
  try {
    const answer = await caller.toolset.call(caller.principal, name, args, options);
    if (answer === null) return unknownTool(name);
    if (isRecord(answer)) return answer;
    caller.logger.error({}, 'tool returned no result');
  } catch (error) {
    if (options.signal.aborted) return FAILED;
    caller.logger.error({ error: messageOf(error) }, 'tool failed');
  }
  return FAILED;
}

/** The response, or that of a failed call if it cannot be written as JSON, for which the library would send none. */
export function serializable(caller: ToolCaller, answer: McpAnswer): McpAnswer {
  try {
    JSON.stringify(answer);
    return answer;
  } catch (error) {
    caller.logger.error({ error: messageOf(error) }, 'tool result is not JSON');
    return FAILED;
  }
}

function unknownTool(name: string): McpAnswer {
  return { content: [{ type: 'text', text: `Unknown tool: ${name}` }], isError: true };
}
