import type { Source } from '@svc/records';
import type { Definition } from './definition.ts';
import type { PauseStanding } from './pauses.ts';
import type { SpentLimit } from './spent-limit.ts';

/** Why an entry needs the attention of a person, the most urgent first. */
export const ATTENTION_KINDS = [
  'unreadable',
  'invalid',
  'failing',
  'paused',
  'not_armed',
  'unready',
  'limited',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** That an entry needs attention, and why. */
export interface Attention {
  readonly kind: AttentionKind;
  /** One or two sentences. */
  readonly reason: string;
}

/** The same with the entry that it is about; `file` is all of `project.yaml`. */
export interface AttentionItem extends Attention {
  readonly project: string;
  readonly source: Source | 'file';
  readonly name: string;
}

/** What is known of a trigger. */
export interface TriggerFacts {
  readonly definition: Pick<Definition, 'enabled'>;
  readonly armed: boolean;
  /** Why it is not armed; null where it is, or nothing is known. */
  readonly reason: string | null;
  /** What keeps it from starting; null where nothing does. */
  readonly pause: PauseStanding | null;
  /** Whether its newest turn ended as a failure. */
  readonly isFailing: boolean;
  /** Why each fire fails as things stand; null where nothing is known to be in the way. */
  readonly fault: string | null;
  /** The daily limit that keeps it from starting today; null for none. */
  readonly limit: SpentLimit | null;
}

/**
 * Decides whether a valid trigger needs attention, for every surface. What is disabled needs none, and that everything is
 * paused is one matter of the service, not one of each trigger.
 */
export function attentionOf(facts: TriggerFacts): readonly Attention[] {
  const { definition, armed, reason, pause, isFailing, fault, limit } = facts;
  if (!definition.enabled) return NONE;
  const found: Attention[] = [];
  const add = (kind: AttentionKind, why: string) => found.push({ kind, reason: why });
  if (isFailing) add('failing', 'Its newest run failed.');
  if (pause?.own) add('paused', pause.own.reason);
  if (!armed) add('not_armed', reason ?? 'It is not armed.');
  if (fault !== null) add('unready', fault);
  if (limit !== null) add('limited', limit.message);
  return found.length === 0 ? NONE : found;
}

const NONE: readonly Attention[] = Object.freeze([]);
