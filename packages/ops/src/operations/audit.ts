import { type Clock, type Logger, withoutOpenHalf } from '@svc/core';
import { actorText } from '@svc/records';
import type { Caller } from '../caller.ts';
import type { Operation, OperationTarget, Targets } from './operation.ts';
import type { TargetArguments, TargetFinder } from './targets.ts';

/** What a call turned out to be about, for the log. */
export interface Seen {
  project: string | null;
  target: string | null;
  /** The input of a call whose target was refused. */
  refused: TargetArguments | null;
}

interface Figures {
  readonly outcome: string;
  readonly durationMs: number;
}

/** Writes the line that a call leaves in the log; a name that nobody knows comes as null and is not written down. */
export type Audit = (
  caller: Caller,
  operation: Operation | null,
  seen: Seen,
  figures: Figures,
) => void;

interface AuditDeps {
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'yield'>;
  readonly targets: Pick<TargetFinder, 'named'>;
}

export function createAudit({ logger, clock, targets }: AuditDeps): Audit {
  return (caller, operation, seen, figures) => {
    if (isPassedOver(caller, operation, figures)) return;
    const { actor } = caller;
    const who = actorText(actor);
    const person = actor.kind !== 'user' || actor.id === null ? {} : { person: actor.id };
    const turn = caller.turnId === null ? {} : { turnId: caller.turnId };
    const name = operation?.name ?? null;
    const write = ({ project, target }: Pick<Seen, 'project' | 'target'>): void => {
      const about = { project: bounded(project), target: bounded(target) };
      logger.info(
        { who, ...person, ...turn, operation: name, ...about, ...figures },
        'operation called',
      );
    };
    const { refused } = seen;
    if (refused === null) return write(seen);
    // Looked up once the answer is on its way, or the time to it would tell what there is.
    const named = clock.yield().then(() => targets.named(refused));
    named.then(write, () => write(seen));
  };
}

const DENIALS: ReadonlySet<string> = new Set(['not_permitted', 'unknown_operation']);

// What people read changes nothing, and what is refused to them is told to whoever asked.
function isPassedOver(
  { actor }: Caller,
  operation: Operation | null,
  { outcome }: Figures,
): boolean {
  if (actor.kind !== 'user' || DENIALS.has(outcome)) return false;
  return operation?.policy.effect === 'reads' || outcome !== 'ok';
}

const LONGEST = 200;

function bounded(text: string | null): string | null {
  return text === null ? null : withoutOpenHalf(text.slice(0, LONGEST));
}

/** Notes what a call is about once that has been found. */
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

/** Notes what has been made by a call. */
export function noteDone(seen: Seen, { policy }: Operation, result: unknown): void {
  const { slug, sessionId } = (result ?? {}) as { slug?: unknown; sessionId?: unknown };
  if (policy.target === 'new_project') seen.project = String(slug);
  if (typeof sessionId === 'string') seen.target ??= sessionId;
}
