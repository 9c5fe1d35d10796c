import type { Result } from '@svc/core';
import type { Caller, OperationError } from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { CatalogTool, Chat } from '@svc/records';
import type { FromSchema } from '@svc/schema';
import type { KeeperGates } from '../deps.ts';
import type { Services } from '../services.ts';
import type { HttpFacts, Reply } from './http.ts';

/** Effect of an operation. */
export type OperationEffect = 'reads' | 'mutates' | 'starts_turn';

/**
 * Target of an operation, which is checked against the scope of the caller first: `enumerates` returns only what is in
 * scope, `project` and `chat` name one, `new_project` creates one, `changes` follows what is in scope, `service`
 * concerns no project.
 */
export type OperationTarget = keyof Targets;

/** What the policy requires of an operation; an operation without it is refused. */
export interface OperationPolicy<K extends OperationTarget = OperationTarget> {
  readonly effect: OperationEffect;
  readonly target: K;
  /** The setting that gives it to keepers as a tool. null: it is not a tool, and only people have it. */
  readonly gate: keyof KeeperGates | null;
  /** Whether it can make the service run code of the caller, now or later. */
  readonly runsCode: boolean;
  /** Operations that the caller must have too, because it includes them. */
  readonly needs?: readonly string[];
}

/** The description of a tool for models. */
export interface ToolFacts {
  /** A few words for people. */
  readonly title: string;
  /** What it does and what results from it, for a model that does not know the service. */
  readonly description: string;
  /** Fields of the input that tools do not have. Default: none. */
  readonly without?: readonly string[];
  /** Whether an empty text clears a field of any type. Default: false. */
  readonly clearsWithEmpty?: boolean;
  /** Whether it may remove something that another call cannot restore. */
  readonly destructive: boolean;
  /** Whether a repeated call with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** Whether it affects systems outside of this service, or starts an agent that can. */
  readonly openWorld: boolean;
  /** JSON Schema of the answer, an object. */
  readonly output: object;
}

/** JSON Schema of the input of an operation. */
export interface InputSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The description of an operation for surfaces. */
export interface Operation {
  readonly name: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly policy: OperationPolicy;
  /** Field of the input that names the target inside its project, for the log. */
  readonly subject?: string;
  /** Fields of the input that the operation validates itself; their schemas are documentation. */
  readonly checksItself?: readonly string[];
  readonly input: InputSchema;
  /** JSON Schema of the result; null if surfaces convert it. */
  readonly output: object | null;
  /** How REST offers it; null if it does not. */
  readonly http: HttpFacts | null;
  /** null if the policy makes it no tool. */
  readonly tool: ToolFacts | null;
}

type Hints = Pick<ToolFacts, 'destructive' | 'idempotent' | 'openWorld'>;

/** Hints of an operation that only reads. */
export const READING: Hints = { destructive: false, idempotent: true, openWorld: false };

/** Hints of an operation that starts an agent turn with each call; the agent may do anything that its tools allow. */
export const STARTING: Hints = { destructive: true, idempotent: false, openWorld: true };

/** A chat with its project and the depth of its turns. */
export interface FoundChat {
  readonly snapshot: ProjectSnapshot;
  readonly chat: Chat;
  readonly depth: number;
}

/**
 * How a caller may create a project from a repository, whose triggers have no bounds: `as_it_is` for people, `disabled`
 * for clients that could set every trigger themselves, `refused` for all others.
 */
export type Cloning = 'as_it_is' | 'disabled' | 'refused';

/** The target of an operation, once it was found and is in the scope of the caller. */
export interface Targets {
  readonly service: null;
  readonly changes: { sees(slug: string): boolean };
  readonly enumerates: {
    /** The projects that the caller sees, sorted. */
    readonly slugs: readonly string[];
    /** The requested project; null for all. */
    readonly named: string | null;
  };
  readonly project: ProjectSnapshot;
  readonly chat: FoundChat;
  readonly new_project: { mayCreate(slug: string): boolean; readonly cloning: Cloning };
}

/** A call from the perspective of an operation. */
interface OperationCall<K extends OperationTarget> {
  readonly services: Services;
  /** Every tool that a trigger may list. */
  readonly tools: readonly CatalogTool[];
  readonly caller: Caller;
  readonly target: Targets[K];
  readonly signal: AbortSignal;
}

/** An operation with the code that carries it out: `N` is its name, `R` its result. */
export interface OperationRow<N extends string = string, R = unknown> extends Operation {
  readonly name: N;
  run(call: OperationCall<OperationTarget>, input: unknown): Promise<Result<R, OperationError>>;
  /** The result of the tool. */
  toToolResult(result: R, input: unknown): object;
  /** The response of a success over REST. */
  toReply(result: R): Reply;
}

/** The type of the input that a schema describes. */
export type InputOf<S extends InputSchema> = FromSchema<S>;

/** The results that an output schema allows; any if surfaces convert the result. */
type ResultOf<O> = O extends object ? FromSchema<O> : unknown;

interface Definition<
  N extends string,
  K extends OperationTarget,
  S extends InputSchema,
  O extends object | null,
  R extends ResultOf<O>,
> extends Omit<Operation, 'name' | 'policy' | 'input' | 'output'> {
  readonly name: N;
  readonly policy: OperationPolicy<K>;
  readonly input: S;
  readonly output: O;
  run(call: OperationCall<K>, input: InputOf<S>): Promise<Result<R, OperationError>>;
  /** The result of the tool. Default: the result of `run`. */
  toToolResult?(result: R, input: InputOf<S>): object;
  /** The response of a success over REST. Default: the result is the body. */
  toReply?(result: R): Reply;
}

/**
 * Defines an operation. The type of its input follows from its schema; the result of `run` must be of the type that the
 * output schema describes.
 */
export function defineOperation<
  N extends string,
  K extends OperationTarget,
  const S extends InputSchema,
  const O extends object | null,
  R extends ResultOf<O>,
>(definition: Definition<N, K, S, O, R>): OperationRow<N, R> {
  const {
    toToolResult = (result) => result as object,
    toReply = (body) => ({ body: body as object }),
  } = definition;
  // The gate passes each operation the input and the target that its schema and policy describe.
  return { ...definition, toToolResult, toReply } as unknown as OperationRow<N, R>;
}

const EFFECTS: ReadonlySet<unknown> = new Set(['reads', 'mutates', 'starts_turn']);
const TARGETS: ReadonlySet<unknown> = new Set([
  'service',
  'changes',
  'enumerates',
  'project',
  'chat',
  'new_project',
]);
const GATES: ReadonlySet<unknown> = new Set(['read', 'write', 'projects', 'hooks', null]);

/** The policy of an operation; null if it has no valid one. */
export function policyOf(operation: Pick<Operation, 'policy'>): OperationPolicy | null {
  const policy = operation.policy as OperationPolicy | undefined;
  const sound =
    EFFECTS.has(policy?.effect) && TARGETS.has(policy?.target) && GATES.has(policy?.gate);
  return sound ? (policy as OperationPolicy) : null;
}

/** Policies of operations by name, for packages that do not know the operations. */
export type Catalogue = Readonly<
  Record<
    string,
    Pick<OperationPolicy, 'effect' | 'runsCode' | 'gate'> & { readonly needs: readonly string[] }
  >
>;

/** The catalogue of these operations, in order; operations without a valid policy are omitted. */
export function catalogueOf(rows: readonly Operation[]): Catalogue {
  const entries = rows.flatMap((row) => {
    const policy = policyOf(row);
    if (policy === null) return [];
    const { effect, runsCode, gate, needs = [] } = policy;
    return [[row.name, { effect, runsCode, gate, needs }] as const];
  });
  return Object.freeze(Object.assign(Object.create(null), Object.fromEntries(entries)));
}
