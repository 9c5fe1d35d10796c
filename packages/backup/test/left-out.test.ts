import { expect, it } from '@jest/globals';
import { type LeftOutReason, leftOutLines } from '../src/index.ts';
import { createBounds } from '../src/left-out.ts';

it('archives about 30,000 files of one project, and reports that there are more', () => {
  const bounds = createBounds();
  const path = (n: number) => `projects/demo/.svc/triggers/prompt-${n}.md`;
  let listed = 0;
  while (bounds.lists(path(listed))) listed += 1;
  expect(listed).toBeGreaterThan(30_000);
  bounds.beginProject();
  expect(bounds.lists(path(0))).toBe(true);
  const leftOut = [{ path: 'projects/demo/.svc', reason: 'too_many' as const }];
  expect(leftOutLines(leftOut, (shown) => shown)).toEqual([
    'Not included (too many files: the rest of this folder): projects/demo/.svc',
  ]);
  const many = leftOutLines(Array(25).fill(leftOut[0]), (shown) => shown);
  const foreign = [{ path: 'a', reason: 'constructor' as LeftOutReason }];
  expect(leftOutLines(foreign, (shown) => shown)).toEqual(['Not included (constructor): a']);
  expect(many.slice(20)).toEqual(['Not included: 5 more, listed in manifest.json in the backup.']);
});

it('a path of more than 1,024 bytes is not archived', () => {
  const paths = ['a'.repeat(1024), 'a'.repeat(1025), '\u00e9'.repeat(513)];
  expect(paths.map(createBounds().isTooLong)).toEqual([false, true, true]);
});
