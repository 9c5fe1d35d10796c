import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createStoredText } from '../src/data/stored-text.ts';
import { show } from './page.tsx';
import { HELLO_SERVICE, serve } from './service.ts';

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const refuse = () => {
  throw new DOMException('It may not.', 'QuotaExceededError');
};

test('a written value reaches all subscribers, and the next page', () => {
  const remembered = createStoredText('k');
  const heard: (string | null)[] = [];
  const end = remembered.follow(() => heard.push(remembered.read()));
  remembered.write('a');
  end();
  remembered.write('b');
  expect([heard, createStoredText('k').read()]).toEqual([['a'], 'b']);
});

test('without storage a written value is kept for this page', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
  const remembered = createStoredText('k');
  expect(remembered.read()).toBeNull();
  remembered.write('a');
  expect(remembered.read()).toBe('a');
});

test('with full storage the page is shown, and applies the selected theme', async () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
  serve(HELLO_SERVICE);
  show('/');
  await screen.findByText(/^In the last 24 hours/);
  await userEvent.click(screen.getByRole('button', { name: 'Theme: System' }));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  await screen.findByRole('button', { name: 'Theme: Dark' });
  expect(document.documentElement.dataset['theme']).toBe('dark');
});
