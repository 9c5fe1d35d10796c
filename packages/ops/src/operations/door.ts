import type { Issue, Result } from '@svc/core';
import type { Caller } from '../caller.ts';
import type { OperationCode } from '../errors.ts';
import type { Operation } from './operation.ts';
import type { OperationResults, RowName } from './table.ts';

/** Why a call came to nothing. `unknown_operation`: for this caller there is no such operation. */
export interface CallError {
  readonly code: OperationCode | 'unknown_operation' | 'internal';
  /** What is wrong and how to fix it, in one sentence. */
  readonly message: string;
  /** Every fault of the input, for `invalid`. */
  readonly issues?: readonly Issue[];
  /** For `not_found`: whether retention removed it, or may have. */
  readonly pruned?: true;
}

/** What a call is given beside its input. */
export interface CallOptions {
  /** Gives up what can be given up when it aborts. */
  readonly signal: AbortSignal;
  /** What the surface has found wrong with the input already: told together with what is found here. Default: nothing. */
  readonly faults?: readonly Issue[];
  /** True when the faults have kept a part of the input from being read: what is not there is not told as missing. Default: false. */
  readonly partial?: boolean;
}

/** The one door to everything that the service does. */
export interface Operations {
  /** The operations that are tools and that the caller may call, in the order of the catalogue; the same array for the same scope. */
  visible(caller: Caller): readonly Operation[];
  /**
   * Carries an operation out: the caller's scope is held against the operation, then against what it is about, then the
   * input is checked, and only then anything is done.
   */
  call<N extends RowName>(
    caller: Caller,
    name: N,
    input: unknown,
    options: CallOptions,
  ): Promise<Result<OperationResults[N], CallError>>;
  /** The same with arguments as models write them, and with the answer of a tool. */
  callTool(
    caller: Caller,
    name: string,
    args: unknown,
    options: CallOptions,
  ): Promise<Result<Readonly<Record<string, unknown>>, CallError>>;
}
