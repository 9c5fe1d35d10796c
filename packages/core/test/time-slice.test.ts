import { expect, it } from '@jest/globals';
import { type Clock, createTimeSlice } from '@svc/core';
import { createFakeClock } from '@svc/core/testing';

it('a time slice yields once it is used up, and then starts again', async () => {
  const fake = createFakeClock();
  let rests = 0;
  const clock: Clock = {
    ...fake,
    yield: async () => {
      rests += 1;
      await fake.advance(3);
    },
  };
  const slice = createTimeSlice(clock, 5);
  await fake.advance(4);
  await slice.yieldToEventLoop();
  expect([slice.isSpent, rests]).toEqual([false, 0]);
  await fake.advance(1);
  expect(slice.isSpent).toBe(true);
  await slice.yieldToEventLoop();
  expect([slice.isSpent, rests]).toEqual([false, 1]);
  await fake.advance(4);
  expect(slice.isSpent).toBe(false);
  await slice.yieldNow();
  expect(rests).toBe(2);
});
