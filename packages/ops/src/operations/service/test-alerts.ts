import { failure, success } from '@svc/core';
import type { OperationError } from '@svc/engine';
import { alertTryFields } from '../../alerting.ts';
import { exactly, listOf, text } from '../../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { alertStanding } from './shared.ts';

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
    ...exactly({ tried: listOf(exactly({ sink: text, ...alertTryFields })) }),
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
  async run({ services: { deps }, caller }, { sink }) {
    const known = (await alertStanding(deps)).sinks.map(({ id }) => id);
    if (known.length === 0) return failure(NO_SINKS);
    if (sink !== undefined && !known.includes(sink)) return failure(unknownSink(sink, known));
    deps.logger.info({ by: caller.actor.id ?? caller.actor.kind, sink }, 'sending test alerts');
    const tried = await Promise.all(
      (sink === undefined ? known : [sink]).map(async (id) => {
        const result = (await deps.alerts?.test(id)) ?? null;
        return result === null ? [] : [{ sink: id, ...result }];
      }),
    );
    return success({ tried: tried.flat() });
  },
});

const NO_SINKS: OperationError = {
  code: 'conflict',
  message:
    'No alert sinks are configured. Add sinks under notify in svc.config.yaml and restart svc.',
};

function unknownSink(sink: string, known: readonly string[]): OperationError {
  return {
    code: 'not_found',
    message: `There is no sink ${sink.slice(0, 64)}. Available: ${known.join(', ')}.`,
  };
}
