import type { FromSchema } from '@svc/schema';
import { runNetworkSchema } from './network.schema.ts';
import { CAUSES, RUN_OUTCOMES, RUN_STATES } from './outcome.ts';

const time = { type: 'string', format: 'date-time' } as const;
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const countOrNull = { type: ['integer', 'null'], minimum: 0 } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** JSON Schema of one refused tool call. */
export const deniedCallSchema = {
  type: 'object',
  required: ['tool', 'reason'],
  additionalProperties: false,
  properties: { tool: { type: 'string' }, reason: { type: 'string' } },
} as const;

const SANDBOX_STATES = ['enforced', 'none'] as const;

/** JSON Schema of a run: the honest record of one fire, or of consecutive slots that did not run. */
export const runSchema = {
  $id: 'Run',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'project',
    'source',
    'trigger',
    'cause',
    'state',
    'scheduledFor',
    'scheduledUntil',
    'slotCount',
    'claimedAt',
    'startedAt',
    'endedAt',
    'lateMs',
    'outcome',
    'reason',
    'sessionId',
    'turnId',
    'turns',
    'toolCalls',
    'toolErrors',
    'denied',
    'sandbox',
    'network',
    'runtime',
    'model',
    'tokensIn',
    'tokensOut',
    'cost',
    'by',
    'person',
    'catchUp',
    'eventId',
  ],
  properties: {
    id: { type: 'string', description: 'UUID of the run.' },
    project: { type: 'string', description: 'Slug of the project.' },
    source: {
      enum: ['trigger', 'schedule'],
      description: 'Map of project.yaml that contains the entry.',
    },
    trigger: { type: 'string', description: 'Name of the trigger or legacy schedule.' },
    cause: { enum: CAUSES, description: 'Why it fired.' },
    state: { enum: RUN_STATES },
    scheduledFor: { ...timeOrNull, description: 'Its slot; null without a slot.' },
    scheduledUntil: { ...timeOrNull, description: 'Last slot of this row.' },
    slotCount: { ...count, description: 'Number of slots of this row; 0 without a slot.' },
    claimedAt: { ...time, description: 'When the run was durably recorded.' },
    startedAt: { ...timeOrNull, description: 'When its turn started.' },
    endedAt: timeOrNull,
    lateMs: {
      type: ['integer', 'null'],
      description:
        'Milliseconds from the scheduled start to the start of its turn, or to its claim while it waits; null without a slot.',
    },
    outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it ends.' },
    reason: { ...textOrNull, description: 'The outcome in one sentence.' },
    sessionId: { ...textOrNull, description: 'Chat of the run; null if none was started.' },
    turnId: {
      ...textOrNull,
      description:
        'Turn of the run in that chat, as in `turnId` of messages; null if none was started.',
    },
    turns: { ...count, description: 'Number of model calls.' },
    toolCalls: { ...count, description: 'Number of tool calls.' },
    toolErrors: {
      ...countOrNull,
      description: 'Number of failed tool calls, without denied ones; null if unknown.',
    },
    denied: {
      type: 'array',
      items: deniedCallSchema,
      description: 'Denied tool calls.',
    },
    sandbox: {
      enum: [...SANDBOX_STATES, null],
      description:
        '`enforced`: every process of its turn ran sandboxed; `none`: processes ran without a sandbox; null: it started no process, or unknown.',
    },
    network: {
      anyOf: [runNetworkSchema, { type: 'null' }],
      description: 'Connections of its processes; null if not recorded.',
    },
    runtime: textOrNull,
    model: textOrNull,
    tokensIn: { ...countOrNull, description: 'Sum of its model calls; null if unknown.' },
    tokensOut: { ...countOrNull, description: 'Sum of its model calls; null if unknown.' },
    cost: { type: ['number', 'null'], description: 'Estimated US dollars; null if unknown.' },
    by: {
      ...textOrNull,
      description: '`user`, `keeper` or `client:<id>` for a manual fire; otherwise null.',
    },
    person: {
      ...textOrNull,
      description: 'Name of the person, in sign-in modes that identify people; otherwise null.',
    },
    catchUp: { type: 'boolean', description: 'Whether it catches up a missed slot.' },
    eventId: {
      ...textOrNull,
      description: 'The event that started it, the oldest of several; null if none.',
    },
  },
} as const;

/** The honest record of one fire. Times are UTC ISO text. */
export type Run = FromSchema<typeof runSchema>;

/** One tool call that was refused. */
export type DeniedCall = FromSchema<typeof deniedCallSchema>;

/** Whether every process of a turn ran sandboxed (`enforced`), or not (`none`). */
export type SandboxState = (typeof SANDBOX_STATES)[number];
