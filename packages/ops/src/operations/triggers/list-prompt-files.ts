import { success } from '@svc/core';
import { definitionsOf } from '@svc/engine';
import { count, exactly, listOf, text } from '../../common.schema.ts';
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
  async run({ services: { deps }, target: { slug, file } }) {
    const users = new Map<string, string[]>();
    for (const { key, prompt } of file === null ? [] : definitionsOf(slug, file)) {
      if (prompt === null || 'inline' in prompt) continue;
      const place = `${key.source}/${prompt.file}`;
      users.set(place, [...(users.get(place) ?? []), key.name]);
    }
    const files = await deps.projects.listPrompts(slug);
    const promptFiles = files.map((one) => ({
      ...one,
      usedBy: users.get(`${one.source}/${one.name}`) ?? [],
    }));
    return success({ promptFiles });
  },
});
