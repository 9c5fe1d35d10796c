import { triggerPutSchema } from '@svc/trigger-schema';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { projectAddress } from '../shared-schemas.ts';
import {
  CONDITION_HEADERS,
  CONDITIONS,
  conditionOf,
  known,
  recordReply,
  triggerAnswerSchema,
} from './shared.ts';

export const putTrigger = defineOperation({
  name: 'put_trigger',
  summary: 'Create or replace a trigger. If `enabled` is absent, it is false.',
  policy: { effect: 'mutates', target: 'project', gate: null, runsCode: true },
  subject: 'name',
  checksItself: ['record'],
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name', 'record'],
    properties: { project: projectAddress, name: known, record: triggerPutSchema, ...CONDITIONS },
  },
  output: null,
  http: {
    method: 'put',
    path: '/projects/:slug/triggers/:name',
    id: 'set_trigger',
    tag: 'triggers',
    status: 200,
    etag: true,
    headers: CONDITION_HEADERS,
    body: { field: 'record', required: true },
    response: triggerAnswerSchema,
    errors: ['conflict', 'precondition_failed', 'unavailable'],
    example: { body: sample.declared, response: sample.record },
  },
  tool: null,
  run: ({ nouns, caller, target }, { name: key, record, ...conditions }) =>
    nouns.triggers.put(caller, target, key, record, conditionOf(conditions)),
  toReply: (result) => recordReply(result),
});
