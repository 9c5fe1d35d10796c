import { expect, it } from '@jest/globals';
import { isLoopbackAddress, isLoopbackName } from '@svc/core';

const own = [
  '127.0.0.1',
  '127.255.0.9',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::1%lo',
  '::ffff:127.0.0.1',
  '::FFFF:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:7f12:3456',
];
const foreign = [
  '',
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '128.0.0.1',
  '127.1',
  '::2',
  '::ffff:10.0.0.1',
  '::ffff:8000:1',
  '::ffff:7000:1',
  '::127.0.0.1',
  'fe80::1',
  '1::1',
  '127.0.0.1.evil.example',
  '[::1]',
  'unknown',
];

it('recognizes loopback addresses in any spelling', () => {
  expect(own.filter((address) => !isLoopbackAddress(address))).toEqual([]);
  expect(foreign.filter((address) => isLoopbackAddress(address))).toEqual([]);
  expect(isLoopbackAddress(undefined)).toBe(false);
});

it('recognizes loopback host names', () => {
  const names = ['localhost', 'LOCALHOST', 'app.localhost', '[::1]', '[::ffff:7f00:1]', ...own];
  expect(names.filter((name) => !isLoopbackName(name))).toEqual([]);
  const others = [
    'nas',
    'evillocalhost',
    'localhost.evil.example',
    '[::1',
    '[10.0.0.1]',
    'localhost.',
  ];
  const wrong = [...others, ...foreign.filter((name) => name !== '[::1]')];
  expect(wrong.filter((name) => isLoopbackName(name))).toEqual([]);
});
