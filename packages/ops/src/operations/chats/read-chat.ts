import { counted, success, withoutOpenHalf } from '@svc/core';
import type { Message } from '@svc/records';
import { exactly, integer, text } from '../../common.schema.ts';
import { defineOperation, READING } from '../operation.ts';
import { chatProject, sessionId } from '../shared-schemas.ts';
import { messagesOf } from './shared.ts';

const LONGEST = 2000;

export const readChat = defineOperation({
  name: 'read_chat',
  summary: 'Read the newest messages of a chat.',
  policy: { effect: 'reads', target: 'chat', gate: 'read', runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['session_id'],
    properties: {
      session_id: sessionId,
      project: chatProject,
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        description: 'Maximum number of newest messages. Default: 30.',
      },
    },
  },
  output: null,
  http: null,
  tool: {
    title: 'Read a chat',
    description:
      'Return the newest messages of a chat, oldest first: prompts, answers, tool calls and their results. Texts over 2,000 characters are truncated with a mark. `total` is the number of messages. To wait for a turn, read again until list_chats shows the chat as not running. Read-only.',
    ...READING,
    output: exactly({
      project: text,
      sessionId: text,
      total: integer,
      returned: integer,
      messages: {
        type: 'array',
        items: exactly({ role: text, text: text, timestamp: text }),
      },
    }),
  },
  async run({ services: { deps }, target }, { limit = 30 }) {
    const page = await messagesOf(deps.store, target, { limit });
    if (!page.ok) return page;
    const { messages } = page.value;
    const { chat } = target;
    return success({
      project: chat.project,
      sessionId: chat.sessionId,
      // Message numbers have no gaps; the chat was read shortly before them.
      total:
        (messages.at(-1)?.seq ?? chat.messageCount + chat.prunedMessages) - chat.prunedMessages,
      returned: messages.length,
      messages: messages.map((message) => ({
        role: message.role,
        text: readableText(message),
        timestamp: message.timestamp,
      })),
    });
  },
});

/** The text of a message, truncated to 2,000 characters with a mark. */
function readableText(message: Message): string {
  const text = wholeText(message);
  if (text.length <= LONGEST) return text;
  const start = withoutOpenHalf(text.slice(0, LONGEST));
  return `${start} […cut: ${counted(text.length - start.length, 'more character')}]`;
}

function wholeText({ kind, text, tool }: Message): string {
  if (kind !== 'tool_use' || tool === null) return text;
  const input = tool.input === undefined ? '' : ` ${JSON.stringify(tool.input)}`;
  return [text, `${tool.name}${input}`].filter((part) => part !== '').join('\n');
}
