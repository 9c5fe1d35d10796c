import type { EditCondition } from '../trigger-work.ts';

/** JSON Schema of the name of a trigger. */
export function name<const D extends string>(description: D): TriggerName<D> {
  return { type: 'string', minLength: 1, maxLength: 128, description };
}

interface TriggerName<D extends string> {
  readonly type: 'string';
  readonly minLength: 1;
  readonly maxLength: 128;
  readonly description: D;
}

/** The name of a trigger that is there. */
export const known: TriggerName<string> = name(
  'Name of the trigger, as returned by list_triggers.',
);

/** Conditions on what is stored, as HTTP gives them. */
export const CONDITIONS = {
  if_match: {
    type: 'string',
    description: 'Entity tags: change the trigger only if it has one of them; * matches any.',
  },
  if_none_match: {
    type: 'string',
    description: '*: write the trigger only if it does not exist.',
  },
} as const;

/** The condition that these arguments say. */
export function conditionOf({
  if_match: ifMatch,
  if_none_match: ifNoneMatch,
}: {
  readonly if_match?: string;
  readonly if_none_match?: string;
}): EditCondition {
  return { ifMatch, ifNoneMatch };
}
