import { type Clock, type Logger, withoutOpenHalf } from '@svc/core';
import type { Caller } from '@svc/engine';
import { actorText } from '@svc/records';
import type { Operation, OperationTarget, Targets } from './operation.ts';
import type { TargetArguments, TargetFinder } from './targets.ts';

/** The target of a call, for the log. */
export interface Seen {
  project: string | null;
  target: string | null;
  /** The input of a call whose target was refused. */
  refused: TargetArguments | null;
}

interface CallResult {
  readonly outcome: string;
  readonly durationMs: number;
}

/** Logs a call; an unknown name is null and is not logged. */
export type Audit = (
  caller: Caller,
  operation: Operation | null,
  seen: Seen,
  result: CallResult,
) => void;

interface AuditDeps {
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'yield'>;
  readonly targets: Pick<TargetFinder, 'named'>;
}

export function createAudit({ logger, clock, targets }: AuditDeps): Audit {
  return (caller, operation, seen, result) => {
    if (isSkipped(caller, operation, result)) return;
    const { actor } = caller;
    const who = actorText(actor);
    const person = actor.kind !== 'user' || actor.id === null ? {} : { person: actor.id };
    const turn = caller.turnId === null ? {} : { turnId: caller.turnId };
    const name = operation?.name ?? null;
    const write = ({ project, target }: Pick<Seen, 'project' | 'target'>): void => {
      const about = { project: bounded(project), target: bounded(target) };
      logger.info(
        { who, ...person, ...turn, operation: name, ...about, ...result },
        'operation called',
      );
    };
    const { refused } = seen;
    if (refused === null) return write(seen);
    // Looked up after the response was sent; otherwise the response time would reveal what exists.
    const named = clock.yield().then(() => targets.named(refused));
    named.then(write, () => write(seen));
  };
}

const DENIALS: ReadonlySet<string> = new Set(['not_permitted', 'unknown_operation']);

// Reads of people change nothing, and their refusals are returned to them.
function isSkipped(
  { actor }: Caller,
  operation: Operation | null,
  { outcome }: CallResult,
): boolean {
  if (actor.kind !== 'user' || DENIALS.has(outcome)) return false;
  return operation?.policy.effect === 'reads' || outcome !== 'ok';
}

const LONGEST = 200;

function bounded(text: string | null): string | null {
  return text === null ? null : withoutOpenHalf(text.slice(0, LONGEST));
}

/** Records the target of a call once it is known. */
export function noteTarget(
  seen: Seen,
  { policy, subject }: Operation,
  target: Targets[OperationTarget],
  input: object,
): void {
  if (policy.target === 'enumerates') {
    seen.project = (target as Targets['enumerates']).named;
  } else if (policy.target === 'chat') {
    const { chat } = target as Targets['chat'];
    seen.project = chat.project;
    seen.target = chat.sessionId;
  } else if (policy.target === 'project') {
    seen.project = (target as Targets['project']).slug;
    const named =
      subject === undefined ? null : (input as Readonly<Record<string, unknown>>)[subject];
    seen.target = typeof named === 'string' ? named : null;
  }
}

/** Records what a call created. */
export function noteDone(seen: Seen, { policy }: Operation, result: unknown): void {
  const { slug, sessionId } = (result ?? {}) as { slug?: unknown; sessionId?: unknown };
  if (policy.target === 'new_project') seen.project = String(slug);
  if (typeof sessionId === 'string') seen.target ??= sessionId;
}
