import { expect, it } from '@jest/globals';
import { createThrottle } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';

const HOUR = 3_600_000;

// Whether a failed sign-in from one address also counts for the other.
const share = (one: string, other: string): boolean => {
  const throttle = createThrottle({ attempts: 1, windowMs: HOUR }, createFakeClock(0));
  throttle.note(one);
  return throttle.waitOf(other) > 0;
};

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1'],
  ['2001:db8:1:2::', '2001:0DB8:0001:0002:ffff:ffff:ffff:ffff'],
  ['2001:db8::1', '2001:db8::2'],
  ['fe80::1%eth0', 'fe80::2%eth1'],
  ['192.0.2.1', '::ffff:192.0.2.1'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.1'],
  ['unknown', 'unknown'],
])('a throttle counts %s and %s as one client', (one, other) => {
  expect([share(one, other), share(other, one)]).toEqual([true, true]);
});

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8::1', '2001:db9::1'],
  ['192.0.2.1', '192.0.2.2'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ['::ffff:c000:201', '::ffff:c000:202'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.2'],
  ['64:ff9b::c000:201', '64:ff9b::c000:202'],
  ['', 'unknown'],
])('a throttle counts %s and %s as two clients', (one, other) => {
  expect([share(one, other), share(other, one)]).toEqual([false, false]);
});
