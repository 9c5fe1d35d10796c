import type { Result } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import { OPERATIONS, type OperationName } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { FoundChat } from '../chat-writes.ts';
import type { OperationError } from '../errors.ts';

/** What an operation does to the world. */
export type OperationEffect = 'reads' | 'mutates' | 'starts_turn';

/**
 * What an operation is about, and so what is held against the caller's scope before it begins: `enumerates` sees only
 * what is in scope, `project` and `chat` name one thing, `new_project` makes one.
 */
export type OperationTarget = keyof Targets;

/** What the policy needs to know of an operation; one without it is refused. */
export interface OperationPolicy<K extends OperationTarget = OperationTarget> {
  readonly effect: OperationEffect;
  readonly target: K;
}

/** What a model or a page is told of an operation. */
export interface Operation {
  readonly name: OperationName;
  /** A few words for people. */
  readonly title: string;
  /** What it does and what comes of it, for a model that has never seen the service. */
  readonly description: string;
  readonly policy: OperationPolicy;
  /** True when an empty text clears an argument's field, whatever its type. Default: false. */
  readonly clearsWithEmpty?: boolean;
  /** True when it may take something away that a second call does not bring back. */
  readonly destructive: boolean;
  /** True when a second call with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** True when it reaches beyond this service, or starts an agent that can. */
  readonly openWorld: boolean;
  /** JSON Schema of the arguments: an object without further fields. */
  readonly input: object;
  /** JSON Schema of the result, an object. */
  readonly output: object;
}

type Hints = Pick<Operation, 'destructive' | 'idempotent' | 'openWorld'>;

/** Hints of an operation that only reads. */
export const READING: Hints = { destructive: false, idempotent: true, openWorld: false };

/** Hints of an operation that starts an agent turn, each call another one: such an agent may do anything it has tools for. */
export const STARTING: Hints = { destructive: true, idempotent: false, openWorld: true };

/** What an operation works on, once it has been found and is within the caller's scope. */
export interface Targets {
  readonly enumerates: {
    /** The projects that the caller sees, sorted. */
    readonly slugs: readonly string[];
    /** The one that was asked for; null for all of them. */
    readonly named: string | null;
  };
  readonly project: ProjectSnapshot;
  readonly chat: FoundChat;
  readonly new_project: { mayCreate(slug: string): boolean };
}

/** One call, as an operation's own code sees it. */
export interface OperationCall<K extends OperationTarget> {
  readonly caller: Caller;
  readonly target: Targets[K];
  readonly signal: AbortSignal;
}

/** What came of a call. */
export type OperationAnswer = Result<Readonly<Record<string, unknown>>, OperationError>;

/** An operation with the code that carries it out. */
export interface OperationDefinition extends Operation {
  run(call: OperationCall<OperationTarget>, args: never): Promise<OperationAnswer>;
}

/** A JSON Schema of arguments, as far as their types are read off it. */
interface ArgumentSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

interface Scalars {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
}

// Where a schema allows several types the code looks for itself.
type ValueOf<P> = P extends { readonly enum: readonly (infer E)[] }
  ? E
  : P extends { readonly type: infer T extends keyof Scalars }
    ? Scalars[T]
    : P extends { readonly type: readonly ['string', 'array'] }
      ? string | readonly unknown[]
      : unknown;

type Needed<S extends ArgumentSchema> = S extends { readonly required: readonly (infer R)[] }
  ? Extract<R, keyof S['properties']>
  : never;

/** The type of the arguments that a schema describes. */
export type ArgumentsOf<S extends ArgumentSchema> = {
  readonly [K in Needed<S>]: ValueOf<S['properties'][K]>;
} & {
  readonly [K in Exclude<keyof S['properties'], Needed<S>>]?: ValueOf<S['properties'][K]>;
};

type Facts<K extends OperationTarget, S extends ArgumentSchema> = Omit<
  Operation,
  'policy' | 'input'
> & { readonly policy: OperationPolicy<K>; readonly input: S };

/** Joins the description of an operation with its code, whose arguments are typed by the schema. */
export function defineOperation<const S extends ArgumentSchema, K extends OperationTarget>(
  facts: Facts<K, S>,
  run: (call: OperationCall<K>, args: ArgumentsOf<S>) => Promise<OperationAnswer>,
): OperationDefinition {
  return { ...facts, run: run as OperationDefinition['run'] };
}

const EFFECTS: ReadonlySet<unknown> = new Set(['reads', 'mutates', 'starts_turn']);
const TARGETS: ReadonlySet<unknown> = new Set(['enumerates', 'project', 'chat', 'new_project']);

/** The policy of an operation; null where it has none that can be held against a scope. */
export function policyOf(operation: Operation): OperationPolicy | null {
  const policy = operation.policy as OperationPolicy | undefined;
  const sound =
    Object.hasOwn(OPERATIONS, operation.name) &&
    EFFECTS.has(policy?.effect) &&
    TARGETS.has(policy?.target);
  return sound ? (policy as OperationPolicy) : null;
}
