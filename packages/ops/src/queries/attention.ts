import type { Definition, PauseStanding, SpentLimit } from '@svc/engine';
import type { FromSchema } from '@svc/schema';
import { exactly, listOf, text } from '../common.schema.ts';

/** Why an entry needs attention, most urgent first. */
export const ATTENTION_KINDS = [
  'unconfirmed',
  'unreadable',
  'invalid',
  'failing',
  'paused',
  'not_armed',
  'unready',
  'limited',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Why an entry needs attention. */
const attentionFields = {
  kind: { enum: ATTENTION_KINDS, description: 'This list may grow.' },
  reason: { ...text, description: 'One or two sentences.' },
} as const;

const oneSchema = exactly(attentionFields);
export type Attention = FromSchema<typeof oneSchema>;

export const attentionSchema = {
  ...listOf(oneSchema),
  description: 'Why it needs attention, most urgent first; absent if it does not.',
} as const;

/** The same with its entry; `file` means the whole `project.yaml`. */
export const attentionItemSchema = exactly({
  project: text,
  source: { enum: ['trigger', 'schedule', 'file'] },
  name: text,
  ...attentionFields,
});
export type AttentionItem = FromSchema<typeof attentionItemSchema>;

/** Facts about a trigger. */
export interface TriggerFacts {
  readonly definition: Pick<Definition, 'enabled'>;
  readonly armed: boolean;
  /** Why it is not armed; null if it is, or if unknown. */
  readonly reason: string | null;
  /** The pause that prevents it from starting; null if none. */
  readonly pause: PauseStanding | null;
  /** Whether its newest turn failed. */
  readonly isFailing: boolean;
  /** Why every run would currently fail; null if no reason is known. */
  readonly fault: string | null;
  /** The daily limit that prevents it from starting today; null if none. */
  readonly limit: SpentLimit | null;
}

/**
 * Decides whether a valid trigger needs attention, for all surfaces. A disabled trigger does not, and a pause of all
 * triggers counts once for the service, not for each trigger.
 */
export function attentionOf(facts: TriggerFacts): readonly Attention[] {
  const { definition, armed, reason, pause, isFailing, fault, limit } = facts;
  if (!definition.enabled) return NONE;
  const found: Attention[] = [];
  const add = (kind: AttentionKind, why: string) => found.push({ kind, reason: why });
  if (isFailing) add('failing', 'Its last run failed.');
  if (pause?.own) add('paused', pause.own.reason);
  if (!armed)
    add(
      'not_armed',
      reason ?? 'The service has not armed it yet. Start svc serve if it is not running.',
    );
  if (fault !== null) add('unready', fault);
  if (limit !== null) add('limited', limit.message);
  return found.length === 0 ? NONE : found;
}

const NONE: readonly Attention[] = Object.freeze([]);
