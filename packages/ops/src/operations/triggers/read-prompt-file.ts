import { abridged, failure, sentenceOf, success } from '@svc/core';
import { exactly, text } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { projectAddress } from '../shared-schemas.ts';
import { nameSchema, sourceSchema } from './shared.ts';

export const readPromptFile = defineOperation({
  name: 'read_prompt_file',
  summary: 'Get a prompt file as a run would read it now.',
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
  http: {
    method: 'get',
    path: '/projects/:slug/prompt-files/:file',
    tag: 'triggers',
    status: 200,
    query: { source: 'source' },
    example: {
      response: { source: 'trigger', name: 'report.md', text: 'Write the report.\n' },
    },
  },
  tool: null,
  async run({ services: { deps }, target: { slug } }, { file: name, source = 'trigger' }) {
    const read = await deps.projects.readPrompt(slug, source, name);
    if (read.ok) return success({ source, name, text: read.value });
    const shown = abridged(name, LONGEST_SHOWN + 1);
    const [issue = { path: '', message: 'cannot be read.' }] = read.issues;
    const message = sentenceOf(issue, `The prompt file ${shown}`);
    return failure({ code: 'not_found', message });
  },
});

// Longer than any valid name.
const LONGEST_SHOWN = 200;
