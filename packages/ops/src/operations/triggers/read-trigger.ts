import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import { known, recordReply, triggerAnswerSchema } from './shared.ts';

export const readTrigger = defineOperation({
  name: 'read_trigger',
  summary: 'Get a trigger. The response can be sent back with PUT.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: { project: projectAddress, name: known },
  },
  output: null,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/:name',
    tag: 'triggers',
    status: 200,
    etag: true,
    headers: {
      'If-None-Match': {
        description: 'Entity tags: if one of them is current, the response is 304.',
      },
    },
    response: triggerAnswerSchema,
    example: { response: sample.record },
  },
  tool: null,
  run: ({ nouns, target }, { name: key }) => nouns.triggers.get(target, key),
  toReply: (result) => recordReply(result),
});
