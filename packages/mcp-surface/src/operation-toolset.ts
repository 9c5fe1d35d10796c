import type { Principal } from '@svc/mgmt-auth';
import type { McpAnswer, McpTool, McpToolset } from './toolset.ts';

/** The description of an operation. */
export interface DescribedOperation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly policy: { readonly effect: string };
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  /** JSON Schema of the arguments. */
  readonly input: object;
  /** JSON Schema of the result. */
  readonly output: object;
}

/** Operations that check the permissions of the caller themselves. */
export interface CallableOperations<C> {
  /** The operations that a caller may call; the same array for the same rights. */
  visible(caller: C): readonly DescribedOperation[];
  /** Calls an operation. Code `unknown_operation`: it does not exist for this caller. */
  call(
    caller: C,
    name: string,
    args: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<
    | { readonly ok: true; readonly value: object }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  >;
}

/**
 * Turns operations into tools. A result is one block of JSON text with the same object as structured content; a
 * refusal is one sentence, marked as an error.
 */
export function createOperationToolset<C>(
  operations: CallableOperations<C>,
  callerOf: (principal: Principal) => C,
): McpToolset {
  const lists = new WeakMap<readonly DescribedOperation[], readonly McpTool[]>();
  return {
    list(principal) {
      const visible = operations.visible(callerOf(principal));
      const known = lists.get(visible) ?? visible.map(toolOf);
      lists.set(visible, known);
      return known;
    },
    async call(principal, name, args, { signal }) {
      const result = await operations.call(callerOf(principal), name, args, { signal });
      if (result.ok) return answerOf(result.value);
      const { code, message } = result.error;
      if (code === 'unknown_operation') return null;
      return { content: [{ type: 'text', text: message }], isError: true };
    },
  };
}

function answerOf(value: object): McpAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function toolOf(operation: DescribedOperation): McpTool {
  const { name, title, description, input, output } = operation;
  return {
    name,
    title,
    description,
    inputSchema: input,
    outputSchema: output,
    annotations: {
      title,
      readOnlyHint: operation.policy.effect === 'reads',
      destructiveHint: operation.destructive,
      idempotentHint: operation.idempotent,
      openWorldHint: operation.openWorld,
    },
  };
}
