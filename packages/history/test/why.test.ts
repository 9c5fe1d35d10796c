import { describe, expect, it } from '@jest/globals';
import { type WhyRecords, whyAt } from '@svc/history';
import type { Change, Run, Standing } from '@svc/records';
import { runAnswer } from '../src/why/run-answers.ts';

const at = (time: string): number => Date.parse(`2026-03-02T${time}:00.000Z`);

const STANDING: Standing = {
  enabled: true,
  type: 'schedule',
  cron: '0 3 * * *',
  timezone: 'UTC',
  interval: null,
  on: null,
  catchUp: 'latest',
  delayMs: 0,
};

function change(kind: Change['kind'], time: string, more: Partial<Change> = {}): Change {
  return {
    ...{ id: `${kind}-${time}`, project: 'demo', source: 'trigger', trigger: 'nightly' },
    ...{ at: new Date(at(time)).toISOString(), kind, by: 'ann', via: 'page', sessionId: null },
    ...{ reason: null, fields: [], standing: null, anchor: null, writtenAt: null },
    ...more,
  } as Change;
}

const DEFINED = change('defined', '00:00', { standing: STANDING });
const ARMED = change('armed', '00:00', { by: null, via: 'service' });

function records(changes: readonly Change[], more: Partial<WhyRecords> = {}): WhyRecords {
  const spans = [{ from: at('00:00'), until: null, isClean: false }];
  return {
    ...{ changes, runs: [], spans, keptFrom: null, prunedUntil: null, now: at('12:00') },
    ...more,
  } as WhyRecords;
}

describe('why a slot', () => {
  // proves: why.missed
  it.each([
    ['It was due more than 1 h before it could run.', 1],
    ['The database was unavailable for too long to catch up this slot.', 1],
    ['The database was away, and came back too late to make up for this slot.', 1],
    ['It was due while others ran.', 2],
  ])('was missed, with a reason that is given once: %s', (reason, count) => {
    const run = { outcome: 'missed', reason, slotCount: 1, scheduledFor: null };
    const question = {
      records: { spans: [], now: 0 },
      format: { moment: String, headline: String },
    };
    const definition = { change: {}, standing: { catchUp: 'latest', delayMs: 0 } };
    const { sentences } = runAnswer(question as never, definition as never, {
      run: run as never,
      slot: 0,
    });
    expect(sentences).toHaveLength(count);
    expect(sentences.join(' ').toLowerCase().split(reason.toLowerCase().slice(0, -1))).toHaveLength(
      2,
    );
  });

  it.each([
    ['is not recorded before the first change', [], at('03:00'), 'not_recorded', /no records/],
    ['did not exist at another time', [DEFINED, ARMED], at('04:00'), 'no_slot', /^No slot/],
    [
      'did not exist while the trigger was disabled',
      [DEFINED, ARMED, change('disabled', '02:00', { standing: { ...STANDING, enabled: false } })],
      at('03:00'),
      'off',
      /has been disabled since 02:00 \(disabled by ann\)/,
    ],
    [
      'did not exist after the trigger was removed',
      [DEFINED, ARMED, change('removed', '02:00')],
      at('03:00'),
      'removed',
      /was removed at 02:00 by ann/,
    ],
    [
      'could not fire while the entry was invalid',
      [DEFINED, ARMED, change('invalid', '02:00', { reason: 'cron must have five fields.' })],
      at('03:00'),
      'invalid',
      /cron must have five fields\./,
    ],
    [
      'was superseded by a change before it was processed',
      [DEFINED, ARMED, change('disarmed', '03:01', { by: null, via: 'service' })],
      at('03:00'),
      'superseded',
      /was disarmed at 03:01 by svc/,
    ],
  ])('%s', (_, changes, instant, decision, sentence) => {
    const answer = whyAt(records(changes), instant);
    expect(answer.decision).toBe(decision);
    expect(answer.sentences.join(' ')).toMatch(sentence);
  });

  it('fired, with how late it was and how its run ended', () => {
    const run = {
      ...{ id: 'r1', outcome: 'failed', reason: 'It broke.', state: 'ended', slotCount: 1 },
      ...{ catchUp: false, scheduledFor: '2026-03-02T03:00:00.000Z', scheduledUntil: null },
      ...{ claimedAt: '2026-03-02T03:00:02.000Z', startedAt: '2026-03-02T03:00:05.000Z' },
      endedAt: '2026-03-02T03:01:05.000Z',
    } as Run;
    expect(whyAt(records([DEFINED, ARMED], { runs: [run] }), at('03:00'))).toMatchObject({
      decision: 'fired',
      runId: 'r1',
      sentences: [
        '03:00 on Monday: fired 2 s late, failed after 1 min: It broke.',
        'It started 3 s later: it waited for limits.concurrentTurns, the previous run, or the database.',
      ],
    });
  });
});
