import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { nextFire, parseCron } from '@svc/recurrence';

interface Row {
  readonly id: string;
  readonly cls: string;
  readonly expr: string;
  readonly tz: string;
  readonly from: string;
  /** The next five fires by Debian's cron; empty for an expression that never fires. */
  readonly next: readonly string[];
}

const rows = readFileSync(new URL('data/cron-next.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** What the package answers for a row, in the shape of the row's own answer. */
function answer(row: Row): readonly string[] {
  const parsed = parseCron(row.expr, { timezone: row.tz });
  if (!parsed.ok) return [];
  const fires: string[] = [];
  let at: Date | null = new Date(row.from);
  while (fires.length < 5) {
    at = nextFire(parsed.value, at);
    if (at === null) break;
    fires.push(at.toISOString().replace('.000Z', 'Z'));
  }
  return fires;
}

describe('the fires that Debian cron was seen to make', () => {
  it('has all rows at hand', () => {
    expect(rows).toHaveLength(858);
  });

  it.each([...new Set(rows.map((row) => row.cls))])('gives the same for every row of %s', (cls) => {
    const own = rows.filter((row) => row.cls === cls);
    expect(own.map((row) => ({ ...row, next: answer(row) }))).toEqual(own);
  });
});
