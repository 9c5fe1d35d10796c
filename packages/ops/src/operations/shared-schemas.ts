/** Arguments of several operations. */
export const project = {
  type: 'string',
  minLength: 1,
  description:
    'Slug of the project, as returned by list_projects. Default: your own project, or the only one in your scope.',
} as const;

/** Slug of a required project. */
export const projectAddress = {
  type: 'string',
  minLength: 1,
  description: 'Slug of the project.',
} as const;

/** Input of an operation on a project without further fields. */
export const ofProject: {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly ['project'];
  readonly properties: { readonly project: typeof projectAddress };
} = {
  type: 'object',
  additionalProperties: false,
  required: ['project'],
  properties: { project: projectAddress },
};

/** Arguments of an operation that returns pages. */
export const PAGING = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  cursor: { type: 'string', format: 'uuid', description: '`next` of the previous page.' },
} as const;

/** A line of text. */
export function line<const N extends number>(
  description: string,
  maxLength: N,
): { readonly type: 'string'; readonly maxLength: N; readonly description: string } {
  return { type: 'string', maxLength, description };
}

export const chatProject = {
  type: 'string',
  minLength: 1,
  description: 'Slug of the project of the chat. Optional: session_id is sufficient.',
} as const;

export const sessionId = {
  type: 'string',
  minLength: 1,
  description: 'Id of the chat (a UUID), as returned by list_chats, create_chat or run_trigger.',
} as const;

export const ownSessionId = {
  type: 'string',
  minLength: 1,
  description:
    'Id of the chat (a UUID), as returned by list_chats. For an agent of the service it defaults to its own chat; required for other callers.',
} as const;

export const prompt = {
  type: 'string',
  minLength: 1,
  maxLength: 262_144,
  description:
    'The prompt, in plain text or Markdown. The playbook model uses no AI: its prompts contain steps as fenced blocks that start with ```bash, ```write PATH or ```tool NAME (with JSON arguments).',
} as const;

/** Maximum length of a prompt. */
export const LONGEST_PROMPT: 262_144 = prompt.maxLength;

export const chatName = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Display name of the chat. Default: derived from the first line of the prompt.',
} as const;

export const model = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Model of the turns. Default: the model of the project or source chat.',
} as const;
