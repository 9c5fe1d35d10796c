import type { JsonSchema } from '@svc/schema';
import { count, exactly, flag, listOf, text, textOrNull, time } from './common.schema.ts';
import { defineOperation, type OperationRow } from './operation.ts';

const tryFields = { at: time, ok: flag, error: textOrNull };
const lastTry: JsonSchema = {
  description: 'How the newest try went; null before the first one.',
  anyOf: [{ $id: 'AlertTry', ...exactly(tryFields) }, { type: 'null' }],
};

/** Who is told what happens, and how that goes. */
export const alertsSchema: JsonSchema = {
  $id: 'Alerts',
  description: 'Who is told what happens, and how that goes.',
  ...exactly({
    sinks: listOf(
      exactly({
        id: text,
        kind: { enum: ['webhook', 'command'] },
        to: { ...text, description: 'The beginning of an address, or a program.' },
        on: listOf(text),
        threshold: { type: 'integer', minimum: 1 },
        cooldown: text,
        problem: { ...textOrNull, description: 'Why it cannot be used, and what would help.' },
        lastTry,
        waiting: { ...count, description: 'Alerts that are on their way to it.' },
        givenUp: { ...count, description: 'Alerts of the last 30 days that it never got.' },
      }),
    ),
    heartbeat: {
      anyOf: [exactly({ to: text, every: text, lastTry }), { type: 'null' }],
      description: 'A watcher that is pinged after successes.',
    },
  }),
};

/** What of the alerts everybody should see. */
export const alertTroubleSchema: JsonSchema = exactly({
  failing: {
    ...listOf(exactly({ sink: text, error: text })),
    description: 'Sinks, or the heartbeat, that do not work, and why.',
  },
  waiting: { ...count, description: 'Alerts that are on their way.' },
});

export const testAlerts: OperationRow<'test_alerts'> = defineOperation({
  name: 'test_alerts',
  summary: 'Sends an alert of the type test to one sink or to all, and says how that went.',
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
