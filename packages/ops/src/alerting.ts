import type { FieldsOf, FromSchema } from '@svc/schema';
import { count, exactly, flag, listOf, text, textOrNull, time } from './common.schema.ts';

export const alertTryFields = {
  at: time,
  ok: flag,
  error: textOrNull,
} as const;

/** Result of a delivery attempt of a sink or of the heartbeat; `error` is one sentence, or null if it succeeded. */
export type AlertTry = FieldsOf<typeof alertTryFields, keyof typeof alertTryFields>;

const lastTry = {
  description: 'Result of the newest attempt; null before the first.',
  anyOf: [{ $id: 'AlertTry', ...exactly(alertTryFields) }, { type: 'null' }],
} as const;

const sinkSchema = exactly({
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
});

/** An alert sink, its settings and delivery state, without secrets. */
export type AlertSink = FromSchema<typeof sinkSchema>;

export const alertsSchema = {
  $id: 'Alerts',
  description: 'Alert sinks, their settings and delivery state.',
  ...exactly({
    sinks: listOf(sinkSchema),
    heartbeat: {
      anyOf: [exactly({ to: text, every: text, lastTry }), { type: 'null' }],
      description: 'URL that is pinged after successful runs.',
    },
  }),
} as const;

/** Alert sinks, their settings and delivery state; without a heartbeat it is null. */
export type AlertStanding = FromSchema<typeof alertsSchema>;

/** What the operations require of alerts. */
export interface AlertPort {
  standing(): Promise<AlertStanding>;
  /** Sends a test alert to a sink at once; null if there is no such sink. */
  test(sink: string): Promise<AlertTry | null>;
}

/** The part of the delivery state that all users should see. */
export const alertTroubleSchema = exactly({
  failing: {
    ...listOf(exactly({ sink: text, error: text })),
    description: 'Sinks or heartbeat that do not work, and why.',
  },
  waiting: { ...count, description: 'Pending alerts.' },
});

export type AlertTrouble = FromSchema<typeof alertTroubleSchema>;
