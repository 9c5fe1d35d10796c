import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Column, columnsIn } from '../src/model/columns.ts';
import { briefText } from '../src/model/describe.ts';
import { RUN_COLUMNS } from '../src/views/runs/RunTable.tsx';
import { TRIGGER_COLUMNS } from '../src/views/triggers/TriggerTable.tsx';

const keysIn = (columns: readonly Column[], width: number): string =>
  columnsIn(columns, width)
    .map(({ key }) => key)
    .join(' ');

// The sidebar and the padding take 296 px from 900 px on, the padding 32 px below; the content is 1,180 px wide at
// most.
const ALWAYS = 'state name next last on actions';

// proves: page.widths
it.each([
  [1024, '', 'outcome name when why'],
  [1100, ALWAYS, 'outcome name when took why'],
  [1280, 'state name next last strip on actions', 'outcome name when took by why'],
  [1440, 'state name next last strip use on actions', 'outcome name when took by why'],
])('at %i px the tables of triggers and of runs have these columns', (window, triggers, runs) => {
  const room = Math.min(window - 296, 1180);
  expect(keysIn(TRIGGER_COLUMNS, room)).toBe(triggers);
  expect(keysIn(RUN_COLUMNS, room)).toBe(runs);
});

it('a column never gets less than its width, and more room never shows fewer columns', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.nat(500), (width, more) => {
      const shown = columnsIn(TRIGGER_COLUMNS, width);
      expect(shown.reduce((sum, column) => sum + column.width, 0)).toBeLessThanOrEqual(width);
      expect(columnsIn(TRIGGER_COLUMNS, width + more)).toEqual(expect.arrayContaining([...shown]));
    }),
  );
});

it.each([
  ['exit code 1', 'exit code 1'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['😀'.repeat(500), `${'😀'.repeat(200)}…`],
])('a reason in a list has 200 characters at most', (reason, shown) => {
  expect(briefText(reason)).toBe(shown);
});
