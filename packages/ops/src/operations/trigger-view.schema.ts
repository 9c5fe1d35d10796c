import { flatTriggerProperties } from '@svc/trigger-schema';
import { objectOf, RESULT } from './shared-schemas.ts';
import {
  attentionSchema,
  clockStateSchema,
  zoneDataStateSchema,
} from './trigger-answers.schema.ts';

const { text, textOrNull, integer, boolean, texts } = RESULT;

/** JSON Schema of what a fired agent may do. */
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

/** What it does now, and did last. */
const state = {
  armed: boolean,
  running: boolean,
  paused: boolean,
  reason: textOrNull,
  nextFire: textOrNull,
  lastRunAt: textOrNull,
  lastOutcome: textOrNull,
  attention: attentionSchema,
  clock: clockStateSchema,
  zoneData: zoneDataStateSchema,
} as const;

const SOMETIMES = ['attention', 'clock', 'zoneData', 'warnings'];

/** JSON Schema of a trigger in one level; null where a field does not apply. */
export const flatTriggerSchema: object = objectOf(
  {
    name: text,
    agentName: text,
    ...flatTriggerProperties,
    ...state,
    lastError: textOrNull,
    capability: capabilitySchema,
    runtimeInForce: text,
    unheld: RESULT.issues,
    warnings: RESULT.issues,
  },
  ['unheld', ...SOMETIMES],
);

/** JSON Schema of an entry of the legacy `schedules` map. */
export const legacyViewSchema: object = objectOf(
  {
    name: text,
    type: text,
    cron: textOrNull,
    interval: textOrNull,
    enabled: boolean,
    ...state,
    warnings: RESULT.issues,
  },
  SOMETIMES,
);
