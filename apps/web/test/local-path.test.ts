import { expect, test } from '@jest/globals';
import { localPath } from '../src/model/local-path.ts';

const ORIGIN = 'http://svc.example:7420';

test.each([
  ['/', '/'],
  ['/projects/hello', '/projects/hello'],
  ['/projects/hello/runs?outcome=failed#last', '/projects/hello/runs?outcome=failed#last'],
  ['/projects/../settings', '/settings'],
  ['/projects//hello', '/projects//hello'],
])('%s is a path of the page', (next, path) => {
  expect(localPath(next, ORIGIN)).toBe(path);
});

test.each([
  'https://evil.example/',
  'javascript:alert(1)',
  'projects/hello',
  '',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '//svc.example:1/',
  '//[',
  '/sign-in',
  '/sign-in?next=/sign-in',
  7,
  null,
  undefined,
  ['/'],
])('%j is not a path of the page', (next) => {
  expect(localPath(next, ORIGIN)).toBeNull();
});
