import { afterEach, expect, jest, test } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { lazyComponent } from '../src/parts/lazy-component.ts';

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test('a module that fails to load at first is shown once it loads', async () => {
  jest.useFakeTimers();
  let tries = 0;
  const Part = lazyComponent(async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch');
    return () => <p>Here</p>;
  });
  await act(async () => {
    render(
      <Suspense fallback={null}>
        <Part />
      </Suspense>,
    );
  });
  expect(screen.queryByText('Here')).toBeNull();
  await act(async () => {
    await jest.advanceTimersByTimeAsync(2000);
  });
  screen.getByText('Here');
});
