import { failure, success } from '@svc/core';
import type { Chat } from '@svc/records';
import { archiveChat, createChat, sendMessage, unarchiveChat } from '../chat-writes.ts';
import { pageOf } from '../chats.ts';
import type { OpsDeps, OpsSettings } from '../deps.ts';
import { invalidInput } from '../errors.ts';
import { readableText } from './message-text.ts';
import { defineOperation, type OperationDefinition, READING, STARTING } from './operation.ts';
import {
  chatName,
  chatProject,
  model,
  objectOf,
  ownSessionId,
  project,
  prompt,
  RESULT,
  sessionId,
} from './shared-schemas.ts';

/** The operations on chats, but for those that copy them. */
export function chatTools(deps: OpsDeps, settings: OpsSettings): OperationDefinition[] {
  return [
    listChats(deps),
    readChat(deps),
    createChatTool(deps, settings),
    sendMessageTool(deps, settings),
    archiveTool(deps),
    unarchiveTool(deps),
  ];
}

function listChats(deps: OpsDeps): OperationDefinition {
  return defineOperation(
    {
      name: 'list_chats',
      title: 'List chats',
      description:
        'Lists chats, those with the newest activity first: of one project, or of all that you may see. Archived chats are left out and only counted (`omittedArchived`) unless you ask for them. `next`, where there is one, goes into `cursor` for the following page. Changes nothing.',
      policy: { effect: 'reads', target: 'enumerates' },
      ...READING,
      input: {
        type: 'object',
        additionalProperties: false,
        properties: {
          project: {
            type: 'string',
            minLength: 1,
            description:
              'Slug of the project, as list_projects returns it. Default: every project that you may see.',
          },
          include_archived: { type: 'boolean', description: 'Default: false.' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 200,
            description: 'Most chats to return. Default: 50.',
          },
          cursor: {
            type: 'string',
            minLength: 1,
            maxLength: 200,
            description: 'What the previous page gave as `next`.',
          },
        },
      },
      output: objectOf(
        {
          count: RESULT.integer,
          omittedArchived: RESULT.integer,
          project: RESULT.textOrNull,
          chats: {
            type: 'array',
            items: objectOf({
              project: RESULT.text,
              sessionId: RESULT.text,
              name: RESULT.text,
              updatedAt: RESULT.text,
              running: RESULT.boolean,
              archived: RESULT.boolean,
            }),
          },
          next: RESULT.text,
        },
        ['next'],
      ),
    },
    async ({ target }, { include_archived: includeArchived = false, limit = 50, cursor }) => {
      const query = cursor === undefined ? {} : { cursor };
      const wanted = pageOf({ includeArchived, limit, ...query });
      if (!wanted.ok) return failure(invalidInput(wanted.issues));
      const page = await deps.store.chats.list({ projects: target.slugs, ...wanted.value });
      return success({
        count: page.chats.length,
        omittedArchived: page.omittedArchived,
        project: target.named,
        chats: page.chats.map(entryOf),
        ...(page.next === null ? {} : { next: page.next }),
      });
    },
  );
}

function entryOf({ project: slug, sessionId: id, name, updatedAt, running, archived }: Chat) {
  return { project: slug, sessionId: id, name, updatedAt, running, archived };
}

function readChat(deps: OpsDeps): OperationDefinition {
  return defineOperation(
    {
      name: 'read_chat',
      title: 'Read a chat',
      description:
        'Returns the newest messages of a chat in reading order: what was asked, what the agent said, its tool calls and their results. Texts over 2,000 characters are cut, with a mark. `total` says how many messages there are. To wait for a turn that you started, read again until the chat is no longer running (list_chats shows that). Changes nothing.',
      policy: { effect: 'reads', target: 'chat' },
      ...READING,
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
            description: 'Most messages to return, counted from the newest. Default: 30.',
          },
        },
      },
      output: objectOf({
        project: RESULT.text,
        sessionId: RESULT.text,
        total: RESULT.integer,
        returned: RESULT.integer,
        messages: {
          type: 'array',
          items: objectOf({ role: RESULT.text, text: RESULT.text, timestamp: RESULT.text }),
        },
      }),
    },
    async ({ target: { chat } }, { limit = 30 }) => {
      const { messages } = await deps.store.chats.messages(chat.sessionId, { limit });
      return success({
        project: chat.project,
        sessionId: chat.sessionId,
        // Messages are numbered without gaps; the chat itself was read a moment before them.
        total: messages.at(-1)?.seq ?? chat.messageCount,
        returned: messages.length,
        messages: messages.map((message) => ({
          role: message.role,
          text: readableText(message),
          timestamp: message.timestamp,
        })),
      });
    },
  );
}

function createChatTool(deps: OpsDeps, settings: OpsSettings): OperationDefinition {
  return defineOperation(
    {
      name: 'create_chat',
      title: 'Start a chat',
      description:
        "Starts a new chat in a project with a first prompt. This starts a real agent turn: the project's keeper, with all of its tools, works on the prompt in the background. Returns at once with the `sessionId`; follow it with read_chat, go on with send_message.",
      policy: { effect: 'starts_turn', target: 'project' },
      ...STARTING,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['prompt'],
        properties: { prompt, project, name: chatName, model },
      },
      output: objectOf({
        created: RESULT.boolean,
        project: RESULT.text,
        sessionId: RESULT.text,
        name: RESULT.text,
        model: RESULT.textOrNull,
        prompt: RESULT.text,
      }),
    },
    async ({ caller, target }, { project: _, ...wish }) => {
      const made = await createChat(deps, settings, caller, target, wish);
      if (!made.ok) return made;
      const { project: slug, sessionId: id, name, model: chosen } = made.value;
      return success({
        created: true,
        project: slug,
        sessionId: id,
        name,
        model: chosen,
        prompt: wish.prompt,
      });
    },
  );
}

function sendMessageTool(deps: OpsDeps, settings: OpsSettings): OperationDefinition {
  return defineOperation(
    {
      name: 'send_message',
      title: 'Send a message',
      description:
        'Puts a message into an existing chat and starts a real agent turn for it, with what that chat may do. While an earlier turn of the chat is running the new one waits for it. Returns at once; follow it with read_chat. An archived chat must be unarchived first.',
      policy: { effect: 'starts_turn', target: 'chat' },
      ...STARTING,
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['session_id', 'prompt'],
        properties: { session_id: sessionId, prompt, project: chatProject },
      },
      output: objectOf({
        sent: RESULT.boolean,
        project: RESULT.text,
        sessionId: RESULT.text,
        prompt: RESULT.text,
      }),
    },
    async ({ caller, target }, args) => {
      const sent = await sendMessage(deps, settings, caller, target, args.prompt);
      if (!sent.ok) return sent;
      const { project: slug, sessionId: id } = sent.value;
      return success({ sent: true, project: slug, sessionId: id, prompt: args.prompt });
    },
  );
}

const ARCHIVING = {
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { session_id: ownSessionId, project: chatProject },
  },
  output: objectOf({ archived: RESULT.boolean, project: RESULT.text, sessionId: RESULT.text }),
} as const;

function archiveTool(deps: OpsDeps): OperationDefinition {
  return defineOperation(
    {
      name: 'archive_chat',
      title: 'Archive a chat',
      description:
        'Archives a chat: it leaves the lists and takes no more messages until it is unarchived; nothing is deleted. Archiving is recorded as the event onArchive. A chat that is archived already stays as it is.',
      policy: { effect: 'mutates', target: 'chat' },
      destructive: false,
      idempotent: true,
      openWorld: false,
      ...ARCHIVING,
    },
    async ({ caller, target }) => {
      const { archived } = await archiveChat(deps, caller, target);
      const { project: slug, sessionId: id } = target.chat;
      return success({ archived, project: slug, sessionId: id });
    },
  );
}

function unarchiveTool(deps: OpsDeps): OperationDefinition {
  return defineOperation(
    {
      name: 'unarchive_chat',
      title: 'Bring a chat back',
      description:
        'Brings an archived chat back into the lists, so that it takes messages again. Returns `archived: false`. Raises no event. A chat that is not archived stays as it is.',
      policy: { effect: 'mutates', target: 'chat' },
      destructive: false,
      idempotent: true,
      openWorld: false,
      ...ARCHIVING,
    },
    async ({ target }) => {
      const { archived } = await unarchiveChat(deps, target);
      const { project: slug, sessionId: id } = target.chat;
      return success({ archived, project: slug, sessionId: id });
    },
  );
}
