import { describe, expect, it } from '@jest/globals';
import { createValidator } from '@svc/schema';
import { legacyScheduleSchema, validateSchedule } from '@svc/trigger-schema';

function issuesOf(value: unknown): string[] {
  const result = validateSchedule(value);
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path} | ${message}`);
}

describe('a legacy schedule', () => {
  // proves: schedules.cron, schedules.prompt
  it('is armed and starts new chats by default', () => {
    const result = validateSchedule({ type: 'cron', cron: '0 9 * * 1-5', prompt: 'Hi' });
    const value = {
      type: 'cron',
      cron: '0 9 * * 1-5',
      prompt: 'Hi',
      resume_session: false,
      enabled: true,
    };
    expect(result).toEqual({ ok: true, value, warnings: [] });
    expect(createValidator(legacyScheduleSchema)(value).ok).toBe(true);
  });

  // proves: schedules.type, schedules.prompt-file, schedules.enabled
  it('keeps its values', () => {
    const value = {
      type: 'interval',
      interval: '1h',
      promptFile: 'x.md',
      resume_session: true,
      enabled: false,
    };
    expect(validateSchedule(value)).toEqual({ ok: true, value, warnings: [] });
  });

  it('has a warning about unknown fields', () => {
    const value = { type: 'interval', interval: '1m', prompt: 'x', session: 'resume' };
    expect(validateSchedule(value).warnings.map((warning) => warning.path)).toEqual([
      'session',
      'interval',
    ]);
  });

  const cases: [string, unknown, string[]][] = [
    [
      'nothing',
      null,
      [' | is empty; it must be a map with the fields type, cron or interval, and prompt.'],
    ],
    [
      'text',
      'x',
      [' | is "x"; it must be a map with the fields type, cron or interval, and prompt.'],
    ],
    ['no type', { prompt: 'x', cron: '@daily' }, ["type | is required: 'cron' or 'interval'."]],
    [
      'another type',
      { prompt: 'x', type: 'event' },
      ["type | must be 'cron' or 'interval', not \"event\"."],
    ],
    [
      'the other field',
      { prompt: 'x', type: 'cron', interval: '1h' },
      ["cron | is required for type 'cron'.", 'interval | is not valid for type cron; remove it.'],
    ],
    [
      'no prompt',
      { type: 'cron', cron: '@daily' },
      ['prompt | or promptFile is required, and must not be blank.'],
    ],
    [
      'both prompts',
      { type: 'cron', cron: '@daily', prompt: 'x', promptFile: 'x.md' },
      ['promptFile | and prompt are both given; keep exactly one of them.'],
    ],
    [
      'a bad file',
      { type: 'cron', cron: '@daily', promptFile: '../x.md' },
      [
        'promptFile | must not use .. to leave its folder; use a name such as "daily.md" or "reports/daily.md".',
      ],
    ],
    [
      'flags as text',
      { type: 'cron', cron: '@daily', prompt: 'x', resume_session: 'no', enabled: 0 },
      [
        'resume_session | must be true or false, not "no".',
        'enabled | must be true or false, not 0.',
      ],
    ],
  ];
  // proves: schedules.type
  it.each(cases)('%s is refused', (_what, value, expected) => {
    expect(issuesOf(value)).toEqual(expected);
  });

  // proves: schedules.interval
  it('respects the shortest interval', () => {
    const value = { type: 'interval', interval: '10s', prompt: 'x' };
    expect(validateSchedule(value, { minIntervalMs: 60_000 })).toMatchObject({ ok: false });
  });
});
