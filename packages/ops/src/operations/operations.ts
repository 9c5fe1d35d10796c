import { failure, messageOf, type Result, SvcError, sentencesOf, success } from '@svc/core';
import type { Scope } from '@svc/mgmt-auth';
import { actorText } from '@svc/records';
import type { Validator } from '@svc/schema';
import type { Caller } from '../caller.ts';
import type { OpsDeps } from '../deps.ts';
import type { OperationError } from '../errors.ts';
import type { Access } from './access.ts';
import { createArgumentCheck } from './arguments.ts';
import type { Operation, OperationDefinition, OperationTarget, Targets } from './operation.ts';
import type { TargetArguments, TargetFinder } from './targets.ts';

/** Why a call came to nothing. `unknown_operation`: for this caller there is no such operation. */
export interface CallError {
  readonly code: OperationError['code'] | 'unknown_operation' | 'internal';
  /** One sentence that says what to do. */
  readonly message: string;
}

/** What came of a call. */
export type CallResult = Result<Readonly<Record<string, unknown>>, CallError>;

/** The operations as tools: for clients of the management endpoint and for keepers. */
export interface Operations {
  /** What the caller may call, in the order of the catalogue; the same array for the same scope. */
  visible(caller: Caller): readonly Operation[];
  /** Calls one. What the caller may not see does not exist for it; what it may not touch is denied. */
  call(
    caller: Caller,
    name: string,
    args: unknown,
    options: { readonly signal: AbortSignal },
  ): Promise<CallResult>;
}

interface Parts {
  readonly deps: Pick<OpsDeps, 'logger' | 'clock'>;
  readonly access: Access;
  readonly targets: TargetFinder;
}

interface Entry {
  readonly definition: OperationDefinition;
  readonly check: Validator<unknown>;
}

/** Joins the definitions into one gate: scope on the operation, arguments, scope on the target, then the work. */
export function createOperations(
  parts: Parts,
  definitions: readonly OperationDefinition[],
): Operations {
  const entries = new Map<string, Entry>(
    definitions.map((definition) => [
      definition.name,
      { definition, check: createArgumentCheck(definition) },
    ]),
  );
  const visibleTo = (caller: Caller) =>
    definitions.filter((operation) => parts.access.allows(caller, operation));
  const byScope = new WeakMap<Scope, readonly Operation[]>();
  return {
    visible(caller) {
      // The depth of a turn plays a part too, and turns are not asked for often.
      if (caller.turnId !== null) return visibleTo(caller);
      const known = byScope.get(caller.scope) ?? visibleTo(caller);
      byScope.set(caller.scope, known);
      return known;
    },
    async call(caller, name, args, { signal }) {
      const started = parts.deps.clock.mono();
      const entry = entries.get(name);
      const seen: Seen = { project: null, target: null, refused: null };
      const exists = entry !== undefined && parts.access.allows(caller, entry.definition);
      const result = exists
        ? await carryOut(parts, entry, { caller, args, signal, seen })
        : failure<CallError>({ code: 'unknown_operation', message: `Unknown tool: ${name}` });
      const durationMs = Math.round(parts.deps.clock.mono() - started);
      const outcome = result.ok ? 'ok' : result.error.code;
      // A name that nobody knows is the caller's own text, and that is not logged.
      const operation = entry === undefined ? null : name;
      note(parts, caller, seen, { operation, outcome, durationMs });
      return result;
    },
  };
}

/** What a call turned out to be about, for the log. */
interface Seen {
  project: string | null;
  target: string | null;
  /** The arguments of a call whose target was refused. */
  refused: TargetArguments | null;
}

interface Figures {
  readonly operation: string | null;
  readonly outcome: string;
  readonly durationMs: number;
}

function note(parts: Parts, caller: Caller, seen: Seen, figures: Figures): void {
  const { logger } = parts.deps;
  const who = actorText(caller.actor);
  const turn = caller.turnId === null ? {} : { turnId: caller.turnId };
  const { operation, ...rest } = figures;
  const write = ({ project, target }: Pick<Seen, 'project' | 'target'>): void => {
    logger.info({ who, ...turn, operation, project, target, ...rest }, 'an operation was called');
  };
  if (seen.refused === null) {
    write(seen);
    return;
  }
  // Looked up after the answer, or the time to it would tell what there is.
  parts.targets.named(seen.refused).then(write, () => write(seen));
}

interface Call {
  readonly caller: Caller;
  readonly args: unknown;
  readonly signal: AbortSignal;
  readonly seen: Seen;
}

async function carryOut(parts: Parts, entry: Entry, call: Call): Promise<CallResult> {
  const { definition, check } = entry;
  const { caller, signal, seen } = call;
  try {
    const checked = check(call.args);
    if (!checked.ok) {
      return failure({ code: 'invalid', message: sentencesOf(checked.issues, THE_ARGUMENTS) });
    }
    const args = checked.value as TargetArguments & { readonly name?: string };
    const target = await parts.targets.find(caller, definition, args);
    if (!target.ok) {
      seen.refused = args;
      return told(target.error);
    }
    remember(seen, definition, target.value, args.name);
    const answer = await definition.run({ caller, target: target.value, signal }, args as never);
    if (!answer.ok) return told(answer.error, parts.access.denial(definition.name));
    const { slug, sessionId } = answer.value;
    if (definition.policy.target === 'new_project') seen.project = String(slug);
    if (typeof sessionId === 'string') seen.target ??= sessionId;
    return success(answer.value);
  } catch (error) {
    return failure(thrown(parts, definition.name, error));
  }
}

const THE_ARGUMENTS = 'The arguments';

function thrown(parts: Parts, operation: string, error: unknown): CallError {
  const { logger } = parts.deps;
  const fields = { operation, error: messageOf(error) };
  // A fault of the machine that was put into a sentence where it was met.
  if (error instanceof SvcError && error.code === 'unavailable') {
    logger.warn(fields, 'an operation could not be served');
    return { code: 'unavailable', message: error.message };
  }
  logger.error(fields, 'an operation failed unexpectedly');
  return INTERNAL;
}

const INTERNAL: CallError = {
  code: 'internal',
  message: 'Something went wrong inside the service; its log says what.',
};

// The sentence of a denial names the operation, wherever the denial came from; every fault is told.
function told(error: OperationError, denial: string = error.message): CallResult {
  const { code, message, issues = [] } = error;
  if (code === 'not_permitted') return failure({ code, message: denial });
  const sentences = sentencesOf(issues, THE_ARGUMENTS);
  if (sentences === '') return failure({ code, message });
  return failure({ code, message: code === 'invalid' ? sentences : `${message} ${sentences}` });
}

function remember(
  seen: Seen,
  definition: Operation,
  target: Targets[OperationTarget],
  name: string | undefined,
): void {
  const kind = definition.policy.target;
  if (kind === 'enumerates') {
    seen.project = (target as Targets['enumerates']).named;
  } else if (kind === 'chat') {
    const { chat } = target as Targets['chat'];
    seen.project = chat.project;
    seen.target = chat.sessionId;
  } else if (kind === 'project') {
    seen.project = (target as Targets['project']).slug;
    if (definition.name.endsWith('_trigger')) seen.target = name ?? null;
  }
}
