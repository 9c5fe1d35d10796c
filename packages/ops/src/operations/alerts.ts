import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, listOf, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';

const tryFields = { at: time, ok: flag, error: textOrNull };
const lastTry: JsonSchema = {
  description: 'Result of the newest attempt; null before the first.',
  anyOf: [{ $id: 'AlertTry', ...exactly(tryFields) }, { type: 'null' }],
};

/** Alert sinks, their settings and delivery state. */
export const alertsSchema: JsonSchema = {
  $id: 'Alerts',
  description: 'Alert sinks, their settings and delivery state.',
  ...exactly({
    sinks: listOf(
      exactly({
        id: text,
        kind: { enum: ['webhook', 'command'] },
        to: { ...text, description: 'Origin of the URL, or the program.' },
        on: listOf(text),
        threshold: { type: 'integer', minimum: 1 },
        cooldown: text,
        problem: { ...textOrNull, description: 'Why it cannot be used, and how to fix it.' },
        lastTry,
        waiting: { ...count, description: 'Alerts pending for this sink.' },
        givenUp: { ...count, description: 'Alerts of the last 30 days that were given up.' },
      }),
    ),
    heartbeat: {
      anyOf: [exactly({ to: text, every: text, lastTry }), { type: 'null' }],
      description: 'URL that is pinged after successful runs.',
    },
  }),
};

/** What of the alerts everybody should see. */
export const alertTroubleSchema: JsonSchema = exactly({
  failing: {
    ...listOf(exactly({ sink: text, error: text })),
    description: 'Sinks or heartbeat that do not work, and why.',
  },
  waiting: { ...count, description: 'Pending alerts.' },
});

export const testAlerts: OperationRow<'test_alerts'> = defineOperation({
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
  tool: null,
  run: ({ nouns, caller }, { sink }) => nouns.alerts.test(caller, sink),
});
