import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';

const { open } = browserForFile();
const home = serviceFor();
const { rest } = home;

test('the keyboard alone opens a project and a trigger and runs it', async () => {
  const page = await open(home.at());
  await isLive(page);
  await page.locator('main [data-row] a', { hasText: 'Hello' }).waitFor();
  const isOn = (text: string): Promise<boolean> =>
    page.evaluate((wanted) => document.activeElement?.textContent === wanted, text);
  const goTo = (text: string): Promise<void> =>
    eventually(async () => {
      if (!(await isOn(text))) await page.keyboard.press('j');
      return isOn(text);
    });
  await goTo('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Enabled: weekday-report' }).waitFor();
  await goTo('weekday-report');
  await page.keyboard.press('r');
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  await eventually(async () => (await rest.runs('weekday-report'))[0]?.['state'] === 'ended');
  expect((await rest.runs('weekday-report'))[0]).toMatchObject({ cause: 'manual', by: 'user' });
  await page.getByRole('button', { name: /^\d+ .*(finished|failed)$/ }).waitFor();
});

test('a service restart keeps the text that was typed', async () => {
  const page = await open(home.at());
  await isLive(page);
  await page.locator('main [data-key="n"]').waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Name').fill('While it was gone');
  await home.stop();
  await page.getByText(/^Connection lost \d+ s ago\./).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await home.start();
  await isLive(page);
  expect(await page.getByLabel('Name').inputValue()).toBe('While it was gone');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/projects/while-it-was-gone');
  const file = join(home.folder(), 'projects/while-it-was-gone/project.yaml');
  expect(await readFile(file, 'utf8')).toMatch(/^name: .*While it was gone/m);
});

test.each(['/settings', '/sign-in', '/sign-in?next=/projects/hello', '/projects/hello/chats'])(
  '%s is a page when a browser opens it, and JSON below /api',
  async (path) => {
    const page = await open(home.at(path));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const answer = await page.request.get(home.at(`/api${path}`));
    expect(answer.headers()['content-type']).toContain('application/json');
  },
);
