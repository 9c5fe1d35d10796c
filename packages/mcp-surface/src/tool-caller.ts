import { isRecord, type Logger, messageOf } from '@svc/core';
import type { Principal } from '@svc/mgmt-auth';
import { INTERNAL_ERROR, INVALID_PARAMS, ProtocolError } from './protocol-error.ts';
import type { ToolList, ToolLists } from './tool-lists.ts';
import type { McpAnswer, McpCallOptions, McpToolset } from './toolset.ts';

/** Who calls in one request, and what there is to call. */
export interface ToolCaller {
  readonly principal: Principal;
  readonly toolset: McpToolset;
  readonly lists: ToolLists;
  readonly logger: Logger;
}

type Fields = Readonly<Record<string, unknown>>;
type Params = Fields | undefined;

/** What a client gets when a tool breaks; the cause is in the log alone. */
export const FAILED: McpAnswer = {
  content: [{ type: 'text', text: 'The tool failed: the reason is in the log of the server.' }],
  isError: true,
};

/** Answers `tools/list`; there is one page. */
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

/** What is wrong with the parameters of `tools/call`, in one sentence; null when nothing is. */
export function callProblem(params: Params): string | null {
  if (typeof params?.['name'] !== 'string') {
    return 'tools/call needs the name of a tool as a string';
  }
  const args = params['arguments'];
  return args === undefined || isRecord(args)
    ? null
    : 'tools/call needs its arguments as an object';
}

/** Answers `tools/call`; whatever the tool does, there is an answer. */
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
    caller.logger.error({}, 'tool gave no answer');
  } catch (error) {
    if (options.signal.aborted) return FAILED;
    caller.logger.error({ error: messageOf(error) }, 'tool failed');
  }
  return FAILED;
}

/** The answer, or the one of a failed call where it cannot be written as JSON, on which the library would give none. */
export function serialisable(caller: ToolCaller, answer: McpAnswer): McpAnswer {
  try {
    JSON.stringify(answer);
    return answer;
  } catch (error) {
    caller.logger.error({ error: messageOf(error) }, 'answer of a tool is not JSON');
    return FAILED;
  }
}

function unknownTool(name: string): McpAnswer {
  return { content: [{ type: 'text', text: `Unknown tool: ${name}` }], isError: true };
}
