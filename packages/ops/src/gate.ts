import {
  type Checked,
  type Clock,
  failure,
  failureLevel,
  invalid,
  type Logger,
  messageOf,
  type Result,
  SvcError,
  success,
} from '@svc/core';
import { type Caller, invalidInput, type OperationError } from '@svc/engine';
import type { Scope } from '@svc/mgmt-auth';
import type { CatalogTool } from '@svc/records';
import type { Validator } from '@svc/schema';
import type { Connectivity } from '@svc/store';
import { failFastWhileUnavailable } from './fail-fast.ts';
import type { Access } from './operations/access.ts';
import { addressIn, createArgumentCheck, createInputCheck } from './operations/arguments.ts';
import { createAudit, noteDone, noteTarget, type Seen } from './operations/audit.ts';
import type { CallError, CallOptions, Operations } from './operations/door.ts';
import type { Operation, OperationRow } from './operations/operation.ts';
import type { OperationResults, RowName } from './operations/table.ts';
import type { TargetArguments, TargetFinder } from './operations/targets.ts';
import type { Services } from './services.ts';

/** Dependencies of the gate. */
export interface GateParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly connectivity: Connectivity;
  readonly access: Access;
  readonly targets: TargetFinder;
  readonly services: Services;
  /** Every tool that a trigger may list. */
  readonly tools: readonly CatalogTool[];
}

interface Entry {
  readonly row: OperationRow;
  readonly checkInput: Validator<unknown>;
  readonly checkArguments: Validator<unknown>;
}

/** A completed operation with its input. */
interface Done {
  readonly row: OperationRow;
  readonly result: unknown;
  readonly input: unknown;
}

/** Creates the gate in front of all operations. */
export function createGate(parts: GateParts, rows: readonly OperationRow[]): Operations {
  const { access, clock } = parts;
  const audit = createAudit(parts);
  const entries = new Map<string, Entry>(
    rows.map((row) => [
      row.name,
      { row, checkInput: createInputCheck(row), checkArguments: createArgumentCheck(row) },
    ]),
  );
  const toolRows = rows.filter(({ tool }) => tool !== null);
  const visibleTo = (caller: Caller) => toolRows.filter((row) => access.allows(caller, row));
  const byScope = new WeakMap<Scope, readonly Operation[]>();
  const call = async (
    caller: Caller,
    name: string,
    input: unknown,
    options: CallOptions & { readonly asTool: boolean },
  ): Promise<Result<Done, CallError>> => {
    const started = clock.mono();
    const entry = entries.get(name);
    const seen: Seen = { project: null, target: null, refused: null };
    const exists = entry !== undefined && access.allows(caller, entry.row);
    const result =
      exists && !(options.asTool && entry.row.tool === null)
        ? await answeredInTime(parts, entry, { caller, input, options, seen })
        : failure<CallError>({ code: 'unknown_operation', message: access.denial(caller, name) });
    const outcome = result.ok ? 'ok' : result.error.code;
    const durationMs = Math.round(clock.mono() - started);
    audit(caller, entry?.row ?? null, seen, { outcome, durationMs });
    return result;
  };
  return {
    visible(caller) {
      // The list also depends on the depth of the turn, and turns rarely request it.
      if (caller.turnId !== null) return visibleTo(caller);
      const known = byScope.get(caller.scope) ?? visibleTo(caller);
      byScope.set(caller.scope, known);
      return known;
    },
    async call<N extends RowName>(caller: Caller, name: N, input: unknown, options: CallOptions) {
      const done = await call(caller, name, input, { ...options, asTool: false });
      return done.ok ? success(done.value.result as OperationResults[N]) : done;
    },
    async callTool(caller, name, args, options) {
      const done = await call(caller, name, args, { ...options, asTool: true });
      if (!done.ok) return done;
      const { row, result, input } = done.value;
      return success(row.toToolResult(result, input) as Record<string, unknown>);
    },
  };
}

interface Call {
  readonly caller: Caller;
  readonly input: unknown;
  readonly options: CallOptions & { readonly asTool: boolean };
  readonly seen: Seen;
}

// Until the database is back, it is unknown whether a pending operation took effect.
function answeredInTime(
  parts: GateParts,
  entry: Entry,
  call: Call,
): Promise<Result<Done, CallError>> {
  return failFastWhileUnavailable(parts, carryOut(parts, entry, call), (fault) => {
    const caution = entry.row.policy.effect === 'reads' ? '' : ' It may still have taken effect.';
    return failure<CallError>({ code: 'unavailable', message: fault + caution });
  });
}

async function carryOut(
  parts: GateParts,
  entry: Entry,
  call: Call,
): Promise<Result<Done, CallError>> {
  const { row } = entry;
  const { caller, options, seen } = call;
  try {
    const checked = checkedInput(entry, call);
    const args = (checked.ok ? checked.value : addressIn(row, call.input)) as TargetArguments;
    const target = await parts.targets.find(caller, row, args);
    if (!target.ok) {
      seen.refused = args;
      const reportsAll = !checked.ok && target.error.code === 'invalid';
      return failure(reportsAll ? invalidInput(checked.issues) : target.error);
    }
    noteTarget(seen, row, target.value, args);
    if (!checked.ok) return failure(invalidInput(checked.issues));
    const { services, tools } = parts;
    const work = { services, tools, caller, target: target.value, signal: options.signal };
    const result = await row.run(work, checked.value);
    if (!result.ok) return refused(result.error, parts.access.denial(caller, row.name));
    noteDone(seen, row, result.value);
    return success({ row, result: result.value, input: checked.value });
  } catch (error) {
    return failure(thrown(parts, row.name, error));
  }
}

function checkedInput(
  { checkInput, checkArguments }: Entry,
  { input, options }: Call,
): Checked<unknown> {
  const checked = (options.asTool ? checkArguments : checkInput)(input);
  const { faults = [], partial = false } = options;
  if (faults.length === 0) return checked;
  const others = checked.ok ? [] : checked.issues;
  return invalid(...faults, ...others.filter(({ message }) => !partial || message !== MISSING));
}

const MISSING = 'is required.';

function thrown({ logger }: GateParts, operation: string, error: unknown): CallError {
  const fields = { operation, error: messageOf(error) };
  // An operational failure that already has a message for users.
  if (error instanceof SvcError && error.code === 'unavailable') {
    logger[failureLevel(error, 'warn')](fields, 'operation failed, service unavailable');
    return { code: 'unavailable', message: error.message };
  }
  logger.error(fields, 'operation failed unexpectedly');
  return INTERNAL;
}

const INTERNAL: CallError = {
  code: 'internal',
  message: 'Internal error. See the log of the service.',
};

// Every denial has the same sentence with the name of the operation.
function refused(error: OperationError, denial: string): Result<never, CallError> {
  return failure(error.code === 'not_permitted' ? { code: error.code, message: denial } : error);
}
