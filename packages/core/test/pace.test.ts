import { expect, it } from '@jest/globals';
import { type Clock, createPace } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';

it('a pace rests once its slice is used up, and then has another', async () => {
  const fake = createFakeClock();
  let rests = 0;
  const clock: Clock = {
    ...fake,
    yield: async () => {
      rests += 1;
      await fake.advance(3);
    },
  };
  const pace = createPace(clock, 5);
  await fake.advance(4);
  await pace.breathe();
  expect([pace.spent, rests]).toEqual([false, 0]);
  await fake.advance(1);
  expect(pace.spent).toBe(true);
  await pace.breathe();
  expect([pace.spent, rests]).toEqual([false, 1]);
  await fake.advance(4);
  expect(pace.spent).toBe(false);
  await pace.rest();
  expect(rests).toBe(2);
});
