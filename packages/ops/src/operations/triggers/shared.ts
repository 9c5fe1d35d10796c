import type { Issue } from '@svc/core';
import { flatTriggerProperties, type NamedTrigger, triggerRecordSchema } from '@svc/trigger-schema';
import {
  type Extended,
  exactly,
  extended,
  flag,
  integer,
  text,
  textOrNull,
  texts,
  toolIssues,
  warnings,
} from '../../common.schema.ts';
import type { EditCondition } from '../../edits/trigger-file.ts';
import { attentionSchema } from '../../queries/attention.ts';
import { clockStateSchema } from '../../queries/clock-state.ts';
import { zoneDataStateSchema } from '../../queries/trigger-states.ts';
import type { Reply } from '../http.ts';

/** A stored record. */
export interface AcceptedTrigger {
  readonly record: NamedTrigger;
  readonly etag: string;
  readonly created: boolean;
  readonly warnings: readonly Issue[];
}

export const sourceSchema = { enum: ['trigger', 'schedule'] } as const;

export const nameSchema = {
  ...text,
  description: 'Path below the folder with `/`, as in `promptFile`.',
} as const;

/** A single trigger in a response. */
export const triggerAnswerSchema: Extended<
  typeof triggerRecordSchema,
  unknown,
  { readonly warnings: typeof warnings }
> & { readonly $id: 'TriggerAnswer' } = {
  ...extended(triggerRecordSchema, {}, { warnings }),
  $id: 'TriggerAnswer',
};

interface TriggerName<D extends string> {
  readonly type: 'string';
  readonly minLength: 1;
  readonly maxLength: 128;
  readonly description: D;
}

/** The name of an existing trigger. */
export const known: TriggerName<string> = name(
  'Name of the trigger, as returned by list_triggers.',
);

/** HTTP conditions on the stored trigger. */
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

/** JSON Schema of the capability of a fired agent. */
const capabilitySchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  required: ['runsAs', 'tools', 'permissionMode', 'maxTurns', 'maxSpawnDepth'],
  properties: {
    runsAs: { enum: ['agent', 'keeper'] },
    tools: texts,
    permissionMode: text,
    maxTurns: integer,
    maxSpawnDepth: integer,
  },
} as const;

/** Current state and last run. */
export const flatState = {
  armed: flag,
  running: flag,
  paused: flag,
  reason: textOrNull,
  nextFire: textOrNull,
  lastRunAt: textOrNull,
  lastOutcome: textOrNull,
} as const;

/** What is present only if there is something to say. */
export const flatRemarks = {
  attention: attentionSchema,
  clock: clockStateSchema,
  zoneData: zoneDataStateSchema,
  warnings: toolIssues,
} as const;

/** JSON Schema of a trigger in flat form; null for fields that do not apply. */
export const flatTriggerSchema = exactly(
  {
    name: text,
    agentName: text,
    ...flatTriggerProperties,
    ...flatState,
    lastError: textOrNull,
    capability: capabilitySchema,
    runtimeInForce: text,
  },
  { ...flatRemarks, unheld: toolIssues },
);

export const CONDITION_HEADERS = {
  'If-Match': { field: 'if_match' },
  'If-None-Match': { field: 'if_none_match' },
};

/** JSON Schema of the name of a trigger. */
export function name<const D extends string>(description: D): TriggerName<D> {
  return { type: 'string', minLength: 1, maxLength: 128, description };
}

/** The condition in these arguments. */
export function conditionOf({
  if_match: ifMatch,
  if_none_match: ifNoneMatch,
}: {
  readonly if_match?: string;
  readonly if_none_match?: string;
}): EditCondition {
  return { ifMatch, ifNoneMatch };
}

export function recordReply({ record, warnings, etag }: Omit<AcceptedTrigger, 'created'>): Reply {
  return { body: warnings.length === 0 ? record : { ...record, warnings }, etag };
}
