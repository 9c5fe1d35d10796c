import { type Checked, failure, invalid, success } from '@svc/core';
import { chatSchema } from '@svc/records';
import { invalidInput, notFound } from '../errors.ts';
import { defineOperation, type OperationRow, STARTING } from './operation.ts';
import {
  chatName,
  chatProject,
  LONGEST_PROMPT,
  model,
  objectOf,
  ownSessionId,
  prompt,
  RESULT,
} from './shared-schemas.ts';

export const forkChat: OperationRow<'fork_chat'> = defineOperation({
  name: 'fork_chat',
  summary: 'Copy a chat; with a prompt, start a turn in the copy.',
  policy: { effect: 'starts_turn', target: 'chat', gate: 'write', runsCode: true },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      session_id: ownSessionId,
      prompt,
      project: chatProject,
      name: {
        ...chatName,
        description: 'Name of the copy. Default: name of the source with "(fork)".',
      },
      model,
    },
  },
  output: chatSchema,
  tool: {
    title: 'Copy a chat',
    description:
      'Copy a chat with all its messages; the source is not changed. With `prompt`, the copy continues with it, which starts a real agent turn. Without `prompt`, nothing runs. Returns the `sessionId` of the copy at once.',
    ...STARTING,
    output: objectOf(
      {
        forked: RESULT.boolean,
        project: RESULT.text,
        sessionId: RESULT.text,
        from: RESULT.text,
        name: RESULT.text,
        model: RESULT.text,
        prompt: RESULT.text,
      },
      ['model', 'prompt'],
    ),
  },
  async run({ nouns, caller, target }, { project: _, session_id: __, ...wish }) {
    const forked = await nouns.chats.fork(caller, target, [wish]);
    if (!forked.ok) return forked;
    const [copy] = forked.value;
    return copy === undefined ? failure(notFound('chat')) : success(copy);
  },
  told: (copy, { prompt: asked }) => ({
    forked: true,
    project: copy.project,
    sessionId: copy.sessionId,
    from: copy.forkedFrom,
    name: copy.name,
    ...(copy.model === null ? {} : { model: copy.model }),
    ...(asked === undefined ? {} : { prompt: asked }),
  }),
});

const MOST_FORKS = 20;

export const forkChatBatch: OperationRow<'fork_chat_batch'> = defineOperation({
  name: 'fork_chat_batch',
  summary: 'Copy a chat several times, each with its own prompt.',
  policy: {
    effect: 'starts_turn',
    target: 'chat',
    gate: 'write',
    runsCode: true,
    needs: ['fork_chat'],
  },
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['prompts'],
    properties: {
      prompts: {
        type: ['string', 'array'],
        items: { type: 'string', maxLength: LONGEST_PROMPT },
        maxItems: MOST_FORKS,
        description:
          'Prompts: one per line, or a JSON array of strings, given as an array or as text.',
      },
      session_id: ownSessionId,
      project: chatProject,
      name_prefix: {
        type: 'string',
        minLength: 1,
        maxLength: 180,
        description: 'Prefix of the names of the copies; a number is appended.',
      },
      model,
    },
  },
  output: null,
  tool: {
    title: 'Copy a chat several times',
    description:
      'Copy a chat once for each prompt and start a real agent turn in every copy, to try different continuations. Creates all copies or none. 1 to 20 prompts. The turns run in the background within the concurrency limits of the instance.',
    ...STARTING,
    output: objectOf({
      count: RESULT.integer,
      source: RESULT.text,
      forks: {
        type: 'array',
        items: objectOf({ sessionId: RESULT.text, prompt: RESULT.text }),
      },
    }),
  },
  async run({ nouns, caller, target }, { prompts: given, name_prefix: prefix, model: wanted }) {
    const prompts = promptsOf(given);
    if (!prompts.ok) return failure(invalidInput(prompts.issues));
    const start = prefix ?? `${target.chat.name} (fork`;
    const wishes = prompts.value.map((one, i) => ({
      prompt: one,
      name: prefix === undefined ? `${start} ${i + 1})` : `${start} ${i + 1}`,
      ...(wanted === undefined ? {} : { model: wanted }),
    }));
    const forked = await nouns.chats.fork(caller, target, wishes);
    if (!forked.ok) return forked;
    const forks = forked.value.map(({ sessionId }, i) => ({
      sessionId,
      prompt: prompts.value[i] ?? '',
    }));
    return success({ count: forks.length, source: target.chat.sessionId, forks });
  },
});

function promptsOf(given: string | readonly unknown[]): Checked<string[]> {
  const items = itemsOf(given);
  if (items === null) {
    return invalid(fault('must be one prompt per line, or a JSON array of strings.'));
  }
  const prompts = items.map((item) => item.trim());
  if (prompts.length < 1 || prompts.length > MOST_FORKS) {
    return invalid(fault(`must contain 1 to ${MOST_FORKS} prompts, not ${prompts.length}.`));
  }
  if (prompts.includes('')) return invalid(fault('must not contain a blank prompt.'));
  const long = prompts.some((one) => one.length > LONGEST_PROMPT);
  return long
    ? invalid(fault(`must each have at most ${LONGEST_PROMPT} characters.`))
    : success(prompts);
}

function fault(message: string) {
  return { path: 'prompts', message };
}

function itemsOf(given: string | readonly unknown[]): string[] | null {
  if (typeof given !== 'string') return textsOf(given);
  if (!given.trim().startsWith('[')) return linesOf(given);
  try {
    const parsed: unknown = JSON.parse(given);
    return Array.isArray(parsed) ? textsOf(parsed) : null;
  } catch {
    // Prompts may begin with a bracket without being JSON, as in "[x] done".
    return linesOf(given);
  }
}

// An empty line between prompts is only there for the eye.
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function textsOf(items: readonly unknown[]): string[] | null {
  return items.every((item) => typeof item === 'string') ? (items as string[]) : null;
}
