import type { FromSchema } from '@svc/schema';
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
    source: { enum: ['trigger', 'schedule'], description: 'Map that the entry stands in.' },
    trigger: { type: 'string', description: 'Name of the trigger or legacy schedule.' },
    cause: { enum: CAUSES, description: 'Why it fired.' },
    state: { enum: RUN_STATES },
    scheduledFor: { ...timeOrNull, description: 'Slot that it is for; null without a slot.' },
    scheduledUntil: { ...timeOrNull, description: 'Last slot that this row covers.' },
    slotCount: { ...count, description: 'Slots that this row covers; 0 without a slot.' },
    claimedAt: { ...time, description: 'When the fire was durably recorded.' },
    startedAt: { ...timeOrNull, description: 'When its turn started.' },
    endedAt: timeOrNull,
    lateMs: {
      type: ['integer', 'null'],
      description:
        'Milliseconds from when its slot was to start to the start of its turn, before that to its claim; null without a slot.',
    },
    outcome: { enum: [...RUN_OUTCOMES, null], description: 'null until it has ended.' },
    reason: { ...textOrNull, description: 'One plain sentence on the outcome.' },
    sessionId: { ...textOrNull, description: 'Chat that it ran in; null where none was started.' },
    turnId: {
      ...textOrNull,
      description: 'Its turn in that chat; messages name theirs. null where none was started.',
    },
    turns: { ...count, description: 'Model calls made.' },
    toolCalls: { ...count, description: 'Tool calls made.' },
    toolErrors: {
      ...countOrNull,
      description: 'Tool calls that failed, without refused ones; null where unknown.',
    },
    denied: {
      type: 'array',
      items: deniedCallSchema,
      description: 'Tool calls that were refused.',
    },
    runtime: textOrNull,
    model: textOrNull,
    tokensIn: { ...countOrNull, description: 'Over its model calls; null where unknown.' },
    tokensOut: { ...countOrNull, description: 'Over its model calls; null where unknown.' },
    cost: { type: ['number', 'null'], description: 'Estimated US dollars; null where unknown.' },
    by: {
      ...textOrNull,
      description: '`user`, `keeper` or `client:<id>` for a manual fire; null for the others.',
    },
    person: {
      ...textOrNull,
      description:
        'Name of the person, with the sign-in modes that tell people apart; null otherwise.',
    },
    catchUp: { type: 'boolean', description: 'Whether it makes up for a slot that was missed.' },
    eventId: {
      ...textOrNull,
      description: 'The event that started it, the oldest of several; null where none did.',
    },
  },
} as const;

/** The honest record of one fire. Times are UTC ISO text. */
export type Run = FromSchema<typeof runSchema>;

/** One tool call that was refused. */
export type DeniedCall = FromSchema<typeof deniedCallSchema>;
