import { expect, test } from '@jest/globals';
import { ApiError } from '@svc/client';
import { errorTextOf } from '../src/model/error-text.ts';

const SILENT = 'The service is not responding.';
const FAULT = 'Something went wrong on this page.';
const unreadable = (): Error => {
  try {
    return JSON.parse('<html>');
  } catch (error) {
    return error as Error;
  }
};

test.each([
  [new ApiError(403, { error: 'Not for you.', code: 'not_permitted' }), 'Not for you.'],
  [new ApiError(502, '<html>'), 'The service responded with status 502.'],
  [new TypeError('Failed to fetch'), SILENT],
  [new TypeError('NetworkError when attempting to fetch resource.'), SILENT],
  [new TypeError('Load failed'), SILENT],
  [new TypeError('network error'), SILENT],
  [new TypeError('Failed to fetch dynamically imported module: /assets/a.js'), SILENT],
  [new TypeError('Importing a module script failed.'), SILENT],
  [new Error('Unable to preload CSS for /assets/a.css'), SILENT],
  [unreadable(), 'The response cannot be read.'],
  [new TypeError("Cannot read properties of undefined (reading 'fetch')"), FAULT],
  [new RangeError('Invalid time value'), FAULT],
])('%s reads: %s', (error, title) => {
  expect(errorTextOf(error).title).toBe(title);
});

test('an error of the page itself is named, without blaming the service', () => {
  const { hint } = errorTextOf(new RangeError('Invalid time value.'));
  expect(hint).toMatch(/^The error is: Invalid time value\. Reload the page/);
});
