import { expect, test } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';

const { unwatched } = browserForFile();
const home = serviceFor();

// Each of these would fail any other test of this folder.
test.each([
  ['an error that is logged', /^It is broken/, 'console.error("It is broken")'],
  [
    'an error that is thrown',
    /^It is thrown/,
    'setTimeout(() => { throw new Error("It is thrown") })',
  ],
  [
    'a style tag, even for a moment',
    /^There was a style tag/,
    'document.head.append(document.createElement("style")); document.querySelector("style").remove()',
  ],
  [
    'a style tag inside of something else',
    /^There was a style tag/,
    '{ const box = document.createElement("div"); box.append(document.createElement("style")); document.body.append(box) }',
  ],
  [
    'a picture of another address',
    /^The policy was broken: img-src/,
    'new Image().src = "https://evil.example/x.png"',
  ],
  [
    'HTML out of a text',
    /^The policy was broken: require-trusted-types-for/,
    'try { document.body.innerHTML = "x" } catch {}',
  ],
  ['a file that is not there', /^Failed to load resource/, 'new Image().src = "/assets/none.svg"'],
])('a page with %s has a fault', async (_name, fault, code) => {
  const { context, faults } = await unwatched();
  const page = await context.newPage();
  await page.goto(home.at());
  await isLive(page);
  expect(faults).toEqual([]);
  await page.evaluate(code);
  await eventually(async () => faults.some((text) => fault.test(text)));
  await context.close();
});
