import type { FromSchema } from '@svc/schema';
import { capabilitySchema } from './capability.schema.ts';

/** JSON Schema of one message of a transcript. */
export const messageSchema = {
  $id: 'Message',
  type: 'object',
  additionalProperties: false,
  required: ['seq', 'turnId', 'role', 'kind', 'text', 'tool', 'by', 'timestamp'],
  properties: {
    seq: {
      type: 'integer',
      minimum: 1,
      description:
        'Number of the message in the chat, consecutive except where retention removed messages.',
    },
    turnId: { type: ['string', 'null'] },
    role: { enum: ['user', 'assistant', 'tool', 'system'] },
    kind: { enum: ['text', 'tool_use', 'tool_result', 'notice'] },
    text: { type: 'string' },
    tool: {
      type: ['object', 'null'],
      additionalProperties: false,
      required: ['callId', 'name'],
      properties: {
        callId: { type: 'string', description: 'Links a tool_use to its tool_result.' },
        name: { type: 'string' },
        input: { description: 'Arguments of a tool_use, as JSON.' },
        isError: { type: 'boolean', description: 'For a tool_result.' },
      },
    },
    by: {
      type: ['string', 'null'],
      description: 'Who sent it: `user`, `keeper` or `client:<id>`.',
    },
    timestamp: { type: 'string', format: 'date-time' },
  },
} as const;

/** One message of a transcript. */
export type Message = FromSchema<typeof messageSchema>;

/** The tool side of a message. */
export type MessageTool = NonNullable<Message['tool']>;

/** A message before it has a place in its chat. */
export type NewMessage = Pick<Message, 'role' | 'kind' | 'text' | 'tool'> & {
  readonly by?: string;
};

/** JSON Schema of a chat as lists show it. */
export const chatSchema = {
  $id: 'Chat',
  type: 'object',
  additionalProperties: false,
  required: [
    'sessionId',
    'project',
    'name',
    'agentName',
    'by',
    'person',
    'trigger',
    'runtime',
    'model',
    'capability',
    'forkedFrom',
    'createdAt',
    'updatedAt',
    'archivedAt',
    'archivedBy',
    'archived',
    'running',
    'messageCount',
    'prunedMessages',
  ],
  properties: {
    sessionId: { type: 'string', description: 'UUID of the chat.' },
    project: { type: 'string' },
    name: { type: 'string' },
    agentName: { type: ['string', 'null'], description: 'Label of the agent.' },
    by: { type: ['string', 'null'], description: 'Who started it; null for schedules and events.' },
    person: {
      type: ['string', 'null'],
      description: 'Name of the person, in sign-in modes that identify people; otherwise null.',
    },
    trigger: { type: ['string', 'null'], description: 'Trigger that started it.' },
    runtime: { type: 'string' },
    model: { type: ['string', 'null'] },
    capability: capabilitySchema,
    forkedFrom: { type: ['string', 'null'] },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    archivedAt: { type: ['string', 'null'], format: 'date-time' },
    archivedBy: { type: ['string', 'null'] },
    archived: { type: 'boolean' },
    running: { type: 'boolean', description: 'Whether it has a queued or running turn.' },
    messageCount: { type: 'integer', minimum: 0 },
    prunedMessages: {
      type: 'integer',
      minimum: 0,
      description: 'Number of older messages removed by retention.',
    },
  },
} as const;

/** A chat as lists show it. */
export type Chat = FromSchema<typeof chatSchema>;
