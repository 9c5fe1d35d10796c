import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { nextFire, parseCron } from '@svc/recurrence';
import { CronExpression } from 'cron-parser';

const source = new URL('../src/', import.meta.url);

afterEach(() => {
  jest.restoreAllMocks();
});

describe('what comes next', () => {
  it('is asked of cron-parser nowhere in the source', () => {
    const files = readdirSync(source).filter((name) => name.endsWith('.ts'));
    const using = files.filter((name) =>
      /\.(next|prev|take|hasNext|hasPrev|includesDate)\s*\(/.test(
        readFileSync(new URL(name, source), 'utf8'),
      ),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(using).toEqual([]);
  });

  it('is found when every iterating method of cron-parser throws', () => {
    const methods = ['next', 'prev', 'take', 'hasNext', 'hasPrev', 'includesDate'] as const;
    for (const method of methods) {
      jest.spyOn(CronExpression.prototype, method).mockImplementation(() => {
        throw new Error('the iterator of cron-parser was used');
      });
    }
    const parsed = parseCron('11-13/2 4,17 3-29/13 2-11/9 *', { timezone: 'Europe/Berlin' });
    expect(parsed.ok && nextFire(parsed.value, new Date('2026-01-01T00:00:00Z'))).toEqual(
      new Date('2026-02-03T03:11:00Z'),
    );
  });
});
