import { expect, test } from '@jest/globals';
import { serviceFor } from './harness.ts';
import { browserForFile, violations } from './pages.ts';

const { open } = browserForFile();
const service = serviceFor();

test('the settings link to the REST interface, and its index links to each operation', async () => {
  const page = await open(service.at('/settings'));
  await page.getByRole('link', { name: 'REST API reference' }).click();
  await page.waitForURL('**/api/docs');
  await page.getByRole('link', { name: 'run_trigger' }).first().click();
  await page.waitForURL('**/api/docs#run_trigger');
  await page
    .getByRole('heading', { name: 'POST /api/projects/{slug}/triggers/{name}/run' })
    .waitFor();
});

test.each([
  ['light', 390],
  ['dark', 1440],
] as const)('the REST interface is readable in the %s theme at %i pixels', async (theme, width) => {
  const page = await open(service.at('/api/docs'));
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 900 });
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(15, 18, 23)');
  expect(await violations(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
