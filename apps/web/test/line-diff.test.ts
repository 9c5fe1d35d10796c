import { expect, test } from '@jest/globals';
import { lineDiff } from '../src/model/line-diff.ts';

test('lines that have changed are told with those between them', () => {
  const signs = lineDiff('a\nb\nc\nd', 'a\nB\nc\nD').map(({ sign, text }) => sign + text);
  expect(signs).toEqual([' a', '-b', '+B', ' c', '-d', '+D']);
});

test('what differs in very many lines is told whole', () => {
  const lines = (name: string) => Array.from({ length: 2000 }, (_, at) => `${name}${at}`);
  const [before, after] = [lines('old'), lines('new')].map((each) => ['same', ...each, 'end']);
  const told = lineDiff(`${before?.join('\n')}\nshared`, `${after?.join('\n')}\nshared`);
  expect(told.slice(0, 2).map(({ sign }) => sign)).toEqual([' ', '-']);
  expect(told.filter(({ sign }) => sign === ' ').map(({ text }) => text)).toEqual([
    'same',
    'end',
    'shared',
  ]);
  expect(told).toHaveLength(4003);
});

test('what would take more memory than a page has is told all the same', () => {
  const lines = (name: string) => Array.from({ length: 60_000 }, (_, at) => `${name}${at}`);
  expect(lineDiff(lines('a').join('\n'), lines('b').join('\n'))).toHaveLength(120_000);
});
