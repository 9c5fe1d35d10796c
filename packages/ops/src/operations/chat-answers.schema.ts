import { chatSchema, messageSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, id, listOf, text, textOrNull } from './common.schema.ts';

export const chatPageSchema: JsonSchema = {
  $id: 'ChatPage',
  ...exactly({
    chats: { ...listOf(chatSchema), description: 'Newest first.' },
    omittedArchived: { ...count, description: 'Archived chats that were left out.' },
    next: { ...textOrNull, description: 'Goes into `cursor` for the following page.' },
  }),
};

export const chatWithMessagesSchema: JsonSchema = {
  ...chatSchema,
  $id: 'ChatWithMessages',
  required: [...chatSchema.required, 'messages', 'next'],
  properties: {
    ...chatSchema.properties,
    messages: {
      ...listOf(messageSchema),
      description: 'The newest, or those asked for, in reading order.',
    },
    next: {
      ...textOrNull,
      description:
        'Goes into `cursor` for the messages before these, or into `after` for those that follow.',
    },
  },
};

export const sentMessageSchema: JsonSchema = {
  $id: 'SentMessage',
  ...exactly({ sent: { const: true }, project: text, sessionId: id, prompt: text }),
};

export const cancelledTurnSchema: JsonSchema = {
  $id: 'CancelledTurn',
  ...exactly({
    project: text,
    sessionId: id,
    turnId: id,
    runId: {
      ...id,
      type: ['string', 'null'],
      description: 'The run that ends with it; null for what somebody asked for in a chat.',
    },
  }),
};

export const archivedChatSchema: JsonSchema = {
  $id: 'ArchivedChat',
  ...exactly({ archived: flag, project: text, sessionId: id }),
};
