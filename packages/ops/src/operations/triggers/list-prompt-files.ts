import { success } from '@svc/core';
import { count, exactly, listOf, text } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { ofProject } from '../shared-schemas.ts';
import { nameSchema, sourceSchema } from './shared.ts';

export const listPromptFiles = defineOperation({
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
  http: {
    method: 'get',
    path: '/projects/:slug/prompt-files',
    tag: 'triggers',
    status: 200,
    example: {
      response: {
        promptFiles: [{ source: 'trigger', name: 'report.md', size: 812, usedBy: ['nightly'] }],
      },
    },
  },
  tool: null,
  run: async ({ nouns, target }) => success({ promptFiles: await nouns.promptFiles.list(target) }),
});
