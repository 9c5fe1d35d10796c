import { failure, success } from '@svc/core';
import { noTrigger } from '@svc/engine';
import { effectiveRecord } from '@svc/trigger-schema';
import { etagOf } from '../../edits/trigger-file.ts';
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
  async run({ services, target }, { name }) {
    const entry = target.file?.triggers.get(name);
    if (entry === undefined) return failure(noTrigger(target, { name, source: 'trigger' }));
    const record = effectiveRecord(name, target.slug, entry.record);
    const warnings = services.remarks.warnings(target, 'trigger', entry);
    return success({ record, etag: etagOf(record), warnings });
  },
  toReply: (result) => recordReply(result),
});
