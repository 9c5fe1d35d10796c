import { changeSchema } from '@svc/records';
import type { JsonSchema } from '@svc/schema';
import { DECISIONS } from '../../nouns/why/answer.ts';
import { exactly, listOf, text, textOrNull, time, timeOrNull } from '../common.schema.ts';
import { defineOperation } from '../operation.ts';
import { sample } from '../samples.ts';
import { NAMED } from './shared.ts';

const whySchema: JsonSchema = {
  $id: 'Why',
  description: 'The decision about a time, who made it, and the records it is based on.',
  ...exactly({
    at: time,
    source: { enum: ['trigger', 'schedule'] },
    trigger: text,
    decision: { enum: DECISIONS },
    by: { ...text, description: 'service, file, or who made the change or requested the run.' },
    sentences: { ...listOf(text), description: 'Times are in the time zone of the trigger.' },
    slot: { ...timeOrNull, description: 'The slot in question; null if there was none.' },
    before: { ...timeOrNull, description: 'Without a slot: the previous slot.' },
    after: { ...timeOrNull, description: 'Without a slot: the next slot.' },
    runId: { ...textOrNull, description: 'The run on record; null if there is none.' },
    changes: listOf(changeSchema as JsonSchema),
  }),
};

export const whyTrigger = defineOperation({
  name: 'why_trigger',
  summary: 'Explain why a trigger did or did not fire at a given time, from the records.',
  policy: { effect: 'reads', target: 'project', gate: null, runsCode: false },
  subject: 'name',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['project', 'name'],
    properties: {
      ...NAMED,
      at: {
        type: 'string',
        format: 'date-time',
        description:
          'A time without seconds matches any slot in that minute. Default: the latest slot.',
      },
    },
  },
  output: whySchema,
  http: {
    method: 'get',
    path: '/projects/:slug/triggers/:name/why',
    tag: 'runs',
    status: 200,
    query: { at: 'at', source: 'source' },
    example: {
      query: { at: sample.SLOT },
      response: {
        at: '2026-03-01T02:00:00.000Z',
        source: 'trigger',
        trigger: 'nightly',
        decision: 'off',
        by: 'client:ci',
        sentences: [
          'No slot: the trigger was disabled from Saturday 18:02 (disabled by client:ci) to 09:10.',
        ],
        slot: null,
        before: null,
        after: null,
        runId: null,
        changes: [sample.disabledChange],
      },
    },
  },
  tool: null,
  run: ({ nouns, target }, { name, source, at }) =>
    nouns.why.why(target, name, { source, at: at === undefined ? undefined : Date.parse(at) }),
});
