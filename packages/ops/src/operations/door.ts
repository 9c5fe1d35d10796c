import type { Issue, Result } from '@svc/core';
import type { Caller, OperationCode } from '@svc/engine';
import type { Operation } from './operation.ts';
import type { OperationResults, RowName } from './table.ts';

/** Why a call failed. `unknown_operation`: the operation does not exist for this caller. */
export interface CallError {
  readonly code: OperationCode | 'unknown_operation' | 'internal';
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  /** Every error in the input, for `invalid`. */
  readonly issues?: readonly Issue[];
  /** For `not_found`: whether retention removed it, or may have. */
  readonly pruned?: true;
}

/** Options of a call besides its input. */
export interface CallOptions {
  /** Cancels what can be cancelled. */
  readonly signal: AbortSignal;
  /** Errors that the surface found in the input; they are returned together with further ones. Default: none. */
  readonly faults?: readonly Issue[];
  /** Whether those errors prevented reading a part of the input, so that missing fields are not reported. Default: false. */
  readonly partial?: boolean;
}

/** The only access to the operations. */
export interface Operations {
  /** The tools that the caller may call, in the order of the catalogue; the same array for the same scope. */
  visible(caller: Caller): readonly Operation[];
  /**
   * Runs an operation: checks the scope of the caller for the operation and its target, validates the input, and only
   * then does anything.
   */
  call<N extends RowName>(
    caller: Caller,
    name: N,
    input: unknown,
    options: CallOptions,
  ): Promise<Result<OperationResults[N], CallError>>;
  /** The same with tool arguments as models write them, and with the answer of the tool. */
  callTool(
    caller: Caller,
    name: string,
    args: unknown,
    options: CallOptions,
  ): Promise<Result<Readonly<Record<string, unknown>>, CallError>>;
}
