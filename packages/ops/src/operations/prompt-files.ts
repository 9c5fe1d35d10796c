import { success } from '@svc/core';
import type { JsonSchema } from '@svc/schema';
import { count, exactly, listOf, text } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';
import { ofProject, projectAddress } from './shared-schemas.ts';

const sourceSchema: JsonSchema = { enum: ['trigger', 'schedule'] };
const nameSchema: JsonSchema = {
  ...text,
  description: 'Path below the folder with `/`, as in `promptFile`.',
};

export const listPromptFiles: OperationRow<'list_prompt_files'> = defineOperation({
  name: 'list_prompt_files',
  summary:
    'List the prompt files of a project, at most 1000 each for triggers and legacy schedules.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  input: ofProject,
  output: {
    $id: 'PromptFiles',
    ...exactly({
      promptFiles: listOf(
        exactly({
          source: { ...sourceSchema, description: 'Which entries the folder belongs to.' },
          name: nameSchema,
          size: { ...count, description: 'In bytes.' },
          usedBy: { ...listOf(text), description: 'Names of the entries that use it.' },
        }),
      ),
    }),
  },
  tool: null,
  run: async ({ nouns, target }) => success({ promptFiles: await nouns.promptFiles.list(target) }),
});

export const readPromptFile: OperationRow<'read_prompt_file'> = defineOperation({
  name: 'read_prompt_file',
  summary: 'Get a prompt file as a fire would read it now.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'file',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'file'],
    properties: {
      project: projectAddress,
      file: { type: 'string', description: 'Its name, as in the list.' },
      source: {
        enum: ['trigger', 'schedule'],
        default: 'trigger',
        description: 'Whether it belongs to triggers or to legacy schedules.',
      },
    },
  },
  output: {
    $id: 'PromptFile',
    ...exactly({ source: sourceSchema, name: nameSchema, text }),
  },
  tool: null,
  run: ({ nouns, target }, { file, source = 'trigger' }) =>
    nouns.promptFiles.read(target, source, file),
});
