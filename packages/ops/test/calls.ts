import type { Result } from '@svc/core';
import { createPolicy } from '@svc/mgmt-auth';
import {
  CATALOGUE,
  type Caller,
  clientCaller,
  createTools,
  type Ops,
  type ToolError,
} from '@svc/ops';

export type CallResult = Result<Readonly<Record<string, unknown>>, ToolError>;

export const NEVER: AbortSignal = new AbortController().signal;

/** A client with this scope; what it leaves out has its default. */
export function client(scope: object, clientId = 'ci'): Caller {
  const checked = createPolicy(CATALOGUE).scopeOf(scope);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return clientCaller({ clientId, scope: checked.value });
}

export const ALL: Caller = client({ allow: ['*'] });

/** Calls an operation as it would be called from outside. */
export function callAs(
  { operations }: Pick<Ops, 'operations'>,
  caller: Caller,
  name: string,
  args: unknown = {},
): Promise<CallResult> {
  return createTools(operations).call(caller, name, args, { signal: NEVER });
}

/** Code and message of a refusal, or `ok`. */
export function outcomeOf(result: CallResult): string {
  return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`;
}
