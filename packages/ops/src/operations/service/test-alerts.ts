import { exactly, listOf, text } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { tryFields } from './shared.ts';

export const testAlerts = defineOperation({
  name: 'test_alerts',
  summary: 'Send an alert of type test to one sink or to all, and return the results.',
  policy: { effect: 'mutates', target: 'service', gate: null, runsCode: false },
  input: {
    type: 'object',
    additionalProperties: false,
    properties: {
      sink: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'Name of a sink. Default: all.',
      },
    },
  },
  output: {
    $id: 'TestedAlerts',
    ...exactly({ tried: listOf(exactly({ sink: text, ...tryFields })) }),
  },
  http: {
    method: 'post',
    path: '/alerts/test',
    tag: 'service',
    status: 200,
    body: { id: 'AlertTest', fields: ['sink'], required: false },
    example: {
      body: { sink: 'ops' },
      response: { tried: [{ sink: 'ops', at: sample.SLOT, ok: true, error: null }] },
    },
  },
  tool: null,
  run: ({ nouns, caller }, { sink }) => nouns.alerts.test(caller, sink),
});
