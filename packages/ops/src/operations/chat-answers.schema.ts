import { chatSchema, messageSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, id, listOf, text, textOrNull } from './common.schema.ts';

export const chatPageSchema: JsonSchema = {
  $id: 'ChatPage',
  ...exactly({
    chats: { ...listOf(chatSchema), description: 'Newest first.' },
    omittedArchived: { ...count, description: 'Number of archived chats not included.' },
    next: { ...textOrNull, description: 'Pass as `cursor` to get the next page.' },
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
      description: 'The newest messages, or the requested ones, oldest first.',
    },
    next: {
      ...textOrNull,
      description: 'Pass as `cursor` to get earlier messages, or as `after` to get later ones.',
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
      description: 'The run of this turn; null for a turn started in a chat.',
    },
  }),
};

export const archivedChatSchema: JsonSchema = {
  $id: 'ArchivedChat',
  ...exactly({ archived: flag, project: text, sessionId: id }),
};
