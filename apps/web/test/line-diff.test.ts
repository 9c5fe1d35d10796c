import { expect, test } from '@jest/globals';
import { lineDiff } from '../src/model/line-diff.ts';

test('changed lines are shown with the lines between them', () => {
  const signs = lineDiff('a\nb\nc\nd', 'a\nB\nc\nD').map(({ sign, text }) => sign + text);
  expect(signs).toEqual([' a', '-b', '+B', ' c', '-d', '+D']);
});

test('two texts with very many differences are shown in full', () => {
  const lines = (name: string) => Array.from({ length: 2000 }, (_, at) => `${name}${at}`);
  const [before, after] = [lines('old'), lines('new')].map((each) => ['same', ...each, 'end']);
  const diff = lineDiff(`${before?.join('\n')}\nshared`, `${after?.join('\n')}\nshared`);
  expect(diff.slice(0, 2).map(({ sign }) => sign)).toEqual([' ', '-']);
  expect(diff.filter(({ sign }) => sign === ' ').map(({ text }) => text)).toEqual([
    'same',
    'end',
    'shared',
  ]);
  expect(diff).toHaveLength(4003);
});

test('texts too large to compare in memory are still shown', () => {
  const lines = (name: string) => Array.from({ length: 60_000 }, (_, at) => `${name}${at}`);
  expect(lineDiff(lines('a').join('\n'), lines('b').join('\n'))).toHaveLength(120_000);
});
