import { type Checked, failure, invalid, success } from '@svc/core';
import { invalidInput } from '@svc/engine';
import { exactly, integer, text } from '../../common.schema.ts';
import { defineOperation, STARTING } from '../operation.ts';
import { chatProject, LONGEST_PROMPT, model, ownSessionId } from '../shared-schemas.ts';
import { forkChats } from './forks.ts';

const MOST_FORKS = 20;

export const forkChatBatch = defineOperation({
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
  http: null,
  tool: {
    title: 'Copy a chat several times',
    description:
      'Copy a chat once for each prompt and start a real agent turn in every copy, to try different continuations. Creates all copies or none. 1 to 20 prompts. The turns run in the background within the concurrency limits of the instance.',
    ...STARTING,
    output: exactly({
      count: integer,
      source: text,
      forks: {
        type: 'array',
        items: exactly({ sessionId: text, prompt: text }),
      },
    }),
  },
  async run({ services, caller, target }, { prompts: given, name_prefix: prefix, model: wanted }) {
    const prompts = promptsOf(given);
    if (!prompts.ok) return failure(invalidInput(prompts.issues));
    const start = prefix ?? `${target.chat.name} (fork`;
    const requests = prompts.value.map((one, i) => ({
      prompt: one,
      name: prefix === undefined ? `${start} ${i + 1})` : `${start} ${i + 1}`,
      ...(wanted === undefined ? {} : { model: wanted }),
    }));
    const forked = await forkChats(services, caller, target, requests);
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
    return invalid(promptsFault('must be one prompt per line, or a JSON array of strings.'));
  }
  const prompts = items.map((item) => item.trim());
  if (prompts.length < 1 || prompts.length > MOST_FORKS) {
    return invalid(promptsFault(`must contain 1 to ${MOST_FORKS} prompts, not ${prompts.length}.`));
  }
  if (prompts.includes('')) return invalid(promptsFault('must not contain a blank prompt.'));
  const long = prompts.some((one) => one.length > LONGEST_PROMPT);
  return long
    ? invalid(promptsFault(`must each have at most ${LONGEST_PROMPT} characters.`))
    : success(prompts);
}

function promptsFault(message: string) {
  return { path: 'prompts', message };
}

function itemsOf(given: string | readonly unknown[]): string[] | null {
  if (typeof given !== 'string') return textsOf(given);
  if (!given.trim().startsWith('[')) return linesOf(given);
  try {
    const parsed: unknown = JSON.parse(given);
    return Array.isArray(parsed) ? textsOf(parsed) : null;
  } catch {
    // Prompts may start with a bracket without being JSON, as in "[x] done".
    return linesOf(given);
  }
}

// Empty lines between prompts are ignored.
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function textsOf(items: readonly unknown[]): string[] | null {
  return items.every((item) => typeof item === 'string') ? (items as string[]) : null;
}
