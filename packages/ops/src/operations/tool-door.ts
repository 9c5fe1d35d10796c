import { failure, type Result, sentencesOf, success } from '@svc/core';
import type { Caller } from '../caller.ts';
import { toolInput } from './arguments.ts';
import type { CallError, Operations } from './door.ts';
import type { Operation, OperationPolicy, ToolFacts } from './operation.ts';

/** An operation as a model is told of it. */
export interface Tool extends Omit<ToolFacts, 'without' | 'clearsWithEmpty'> {
  readonly name: string;
  readonly policy: OperationPolicy;
  /** JSON Schema of the arguments: an object without further fields. */
  readonly input: object;
}

/** Why a call came to nothing. `unknown_operation`: for this caller there is no such tool. */
export interface ToolError {
  readonly code: CallError['code'];
  /** Everything that is to be said, in sentences. */
  readonly message: string;
}

/** The operations as tools: for clients of the management endpoint and for keepers. */
export interface Tools {
  /** What the caller may call, in the order of the catalogue; the same array for the same scope. */
  visible(caller: Caller): readonly Tool[];
  /** Calls one, with arguments as models write them. */
  call(
    caller: Caller,
    name: string,
    args: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<Result<Readonly<Record<string, unknown>>, ToolError>>;
}

/** Makes operations into tools. It decides nothing: the gate does. */
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
      return result.ok ? success(result.value) : failure(toldOf(result.error, name));
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

// A tool answers with a text, so every fault is told in it.
function toldOf({ code, message, issues = [] }: CallError, name: string): ToolError {
  if (code === 'unknown_operation') return { code, message: `Unknown tool: ${name}` };
  const sentences = sentencesOf(issues, THE_ARGUMENTS);
  if (sentences === '') return { code, message };
  return { code, message: code === 'invalid' ? sentences : `${message} ${sentences}` };
}
