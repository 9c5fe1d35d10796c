import { failure, type Result, sentencesOf, success } from '@svc/core';
import type { Caller } from '@svc/engine';
import { toolInput } from './arguments.ts';
import type { CallError, Operations } from './door.ts';
import type { Operation, OperationPolicy, ToolFacts } from './operation.ts';

/** An operation as a tool for models. */
export interface Tool extends Omit<ToolFacts, 'without' | 'clearsWithEmpty'> {
  readonly name: string;
  readonly policy: OperationPolicy;
  /** JSON Schema of the arguments: an object without additional fields. */
  readonly input: object;
}

/** Why a call failed. `unknown_operation`: the tool does not exist for this caller. */
export interface ToolError {
  readonly code: CallError['code'];
  /** The complete message, in sentences. */
  readonly message: string;
}

/** The operations as tools, for `/mcp` clients and for keepers. */
export interface Tools {
  /** The tools that the caller may call, in the order of the catalogue; the same array for the same scope. */
  visible(caller: Caller): readonly Tool[];
  /** Calls a tool with arguments as models write them. */
  call(
    caller: Caller,
    name: string,
    args: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<Result<Readonly<Record<string, unknown>>, ToolError>>;
}

/** Creates tools from operations; the gate makes all decisions. */
export function createTools(operations: Operations): Tools {
  const lists = new WeakMap<readonly Operation[], readonly Tool[]>();
  return {
    visible(caller) {
      const operationsOf = operations.visible(caller);
      const known = lists.get(operationsOf) ?? operationsOf.flatMap(toolOf);
      lists.set(operationsOf, known);
      return known;
    },
    async call(caller, name, args, { signal }) {
      const result = await operations.callTool(caller, name, args, { signal });
      return result.ok ? success(result.value) : failure(toolErrorOf(result.error, name));
    },
  };
}

function toolOf(operation: Operation): Tool[] {
  const { name, policy, tool } = operation;
  if (tool === null) return [];
  const { title, description, destructive, idempotent, openWorld, output } = tool;
  const facts = { title, description, destructive, idempotent, openWorld, output };
  return [{ name, policy, ...facts, input: toolInput(operation) }];
}

const THE_ARGUMENTS = 'The arguments';

// A tool answers with text, so the text includes every error.
function toolErrorOf({ code, message, issues = [] }: CallError, name: string): ToolError {
  if (code === 'unknown_operation') return { code, message: `Unknown tool: ${name}` };
  const sentences = sentencesOf(issues, THE_ARGUMENTS);
  if (sentences === '') return { code, message };
  return { code, message: code === 'invalid' ? sentences : `${message} ${sentences}` };
}
