import { describe, expect, it } from '@jest/globals';
import { nextFireMs, parseCron } from '@svc/recurrence';
import { createOffset, readFields, replayCron } from './cron-oracle.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FROM = Date.UTC(2025, 0, 1);
const UNTIL = Date.UTC(2027, 0, 1);
const ZONES = Intl.supportedValuesOf('timeZone');
const EXPRESSIONS = [
  '30 2 * * *',
  '0 0 * * *',
  '15 0,1,2,3,23 * * *',
  '*/20 1-3 * * *',
  '30 * * * *',
  '45 */2 * * *',
];

interface Change {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

/** The changes of a zone, found from the calendar that Intl prints. */
function changesOf(zone: string): Change[] {
  const offset = createOffset(zone);
  const changes: Change[] = [];
  for (let day = FROM; day < UNTIL; day += 3 * DAY) {
    let [low, high] = [day, day + 3 * DAY];
    const [before, after] = [offset(low), offset(high)];
    if (before === after) continue;
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / (2 * MINUTE)) * MINUTE;
      if (offset(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
  }
  return changes;
}

const replayed = new Map<string, number[]>();

/** What cron fires from 20 h before a change to 20 h after it; zones share many changes. */
function replay(expression: string, { at, before, after }: Change): number[] {
  const key = `${expression} ${at} ${before} ${after}`;
  const offsetAt = (instant: number) => (instant < at ? before : after);
  const fires =
    replayed.get(key) ??
    replayCron(readFields(expression), offsetAt, at - 20 * HOUR, at + 20 * HOUR);
  replayed.set(key, fires);
  return fires;
}

function visit(expression: string, timezone: string, { at }: Change): number[] {
  const parsed = parseCron(expression, { timezone });
  if (!parsed.ok) throw new Error(`${timezone} is refused`);
  const fires: number[] = [];
  let next = nextFireMs(parsed.value, at - 20 * HOUR);
  while (next !== null && next <= at + 20 * HOUR) {
    fires.push(next);
    next = nextFireMs(parsed.value, next);
  }
  return fires;
}

describe('every zone that Node knows', () => {
  // proves: firing.clock.dst
  it('fires as cron does around each change of its clock in two years', () => {
    const wrong: string[] = [];
    let changed = 0;
    for (const zone of ZONES) {
      const changes = changesOf(zone);
      changed += changes.length;
      for (const change of changes) {
        for (const expression of EXPRESSIONS) {
          const mine = visit(expression, zone, change).join();
          if (mine === replay(expression, change).join()) continue;
          wrong.push(`${expression} in ${zone} around ${new Date(change.at).toISOString()}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(ZONES.length).toBeGreaterThan(300);
    expect(changed).toBeGreaterThan(300);
  }, 60_000);
});
