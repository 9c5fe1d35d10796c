import { describe, expect, it } from '@jest/globals';
import { createValidator } from '@svc/schema';
import {
  definitionText,
  effectiveRecord,
  type LegacySchedule,
  scheduleText,
  type TriggerRecord,
  triggerPutSchema,
  triggerRecordSchema,
  validateTrigger,
} from '@svc/trigger-schema';

function trigger(
  condition: Record<string, unknown>,
  run: Record<string, unknown> = {},
): TriggerRecord {
  const result = validateTrigger({ trigger: condition, run: { prompt: 'Hi', ...run } });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}
const DAILY = trigger({ type: 'schedule', cron: '0 9 * * *' });

describe('the record in a response', () => {
  // proves: run.tools.agent-name
  it('has its name and the label of its agent, and matches its schema', () => {
    const record = effectiveRecord('daily', 'web', DAILY);
    expect(record).toEqual({
      name: 'daily',
      agentName: 'trigger-web-daily',
      trigger: { type: 'schedule', cron: '0 9 * * *' },
      run: { prompt: 'Hi', session: 'new', tools: [], maxTurns: 30 },
      enabled: false,
    });
    expect(createValidator(triggerRecordSchema)(record).ok).toBe(true);
    expect(createValidator(triggerRecordSchema)({ ...record, enabled: 'no' }).ok).toBe(false);
  });

  it('may be sent back', () => {
    const record = effectiveRecord('daily', 'web', DAILY);
    expect(createValidator(triggerPutSchema)(record).ok).toBe(true);
    expect(validateTrigger(record, { unknownKeys: 'refuse-misspelt' })).toEqual({
      ok: true,
      value: DAILY,
      warnings: [],
    });
  });
});

describe('the text of a schedule', () => {
  it('is the same for the same times', () => {
    expect(scheduleText(trigger({ type: 'schedule', cron: ' 0  9 * * * ' }))).toBe(
      scheduleText(DAILY),
    );
    expect(scheduleText(trigger({ type: 'schedule', cron: '0 9 * * *' }, { prompt: 'Bye' }))).toBe(
      scheduleText(DAILY),
    );
    expect(scheduleText(trigger({ type: 'schedule', interval: '60m' }))).toBe(
      scheduleText(trigger({ type: 'schedule', interval: '1h' })),
    );
    const legacy: LegacySchedule = {
      type: 'cron',
      cron: '0 9 * * *',
      prompt: 'x',
      resume_session: false,
      enabled: true,
    };
    expect(scheduleText(legacy)).toBe(scheduleText(DAILY));
  });

  it('differs for other times, and is null without a schedule', () => {
    const texts = [
      { type: 'schedule', cron: '0 9 * * *' },
      { type: 'schedule', cron: '0 9 * * *', timezone: 'UTC' },
      { type: 'schedule', cron: '0 10 * * *' },
      { type: 'schedule', interval: '1h' },
      { type: 'schedule', interval: '2h' },
    ].map((condition) => scheduleText(trigger(condition)));
    expect(new Set(texts).size).toBe(5);
    expect(scheduleText(trigger({ type: 'event', on: 'onArchive' }))).toBe(null);
    expect(scheduleText(trigger({ type: 'webhook' }))).toBe(null);
  });
});

describe('the text of a definition', () => {
  it('does not depend on the order of keys, but on every value', () => {
    const { trigger: when, run, enabled } = DAILY;
    expect(
      definitionText({
        enabled,
        run: Object.fromEntries(Object.entries(run).reverse()) as never,
        trigger: when,
      }),
    ).toBe(definitionText(DAILY));
    expect(definitionText({ ...DAILY, enabled: true })).not.toBe(definitionText(DAILY));
    expect(definitionText({ ...DAILY, run: { ...run, tools: ['Read'] } })).not.toBe(
      definitionText(DAILY),
    );
  });
});
