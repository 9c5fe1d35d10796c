import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';
import { idOf } from './rest.ts';

const { open } = browserForFile();
const home = serviceFor({ fires: false });
const { rest } = home;

interface Stop {
  readonly name: string;
  readonly isSeen: boolean;
}

/** The focused element: its text, and whether its focus ring is visible. */
function stopOf(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const at = document.activeElement as HTMLElement;
    const labels = (at as HTMLInputElement).labels ?? [];
    const words = at.getAttribute('aria-label') ?? labels[0]?.textContent ?? at.textContent ?? '';
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const { top, bottom, left, right } = at.getBoundingClientRect();
    const isInWindow = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    // A button inside a field, such as the picker of a time field, has the focus ring of the browser.
    const isInside = !at.matches(':focus') && at.matches(':focus-within');
    const isRinged = isInside || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
    const isOnTop = at.contains(
      document.elementFromPoint(
        Math.min(Math.max((left + right) / 2, 0), innerWidth - 1),
        Math.min(
          Math.max((Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2, 0),
          innerHeight - 1,
        ),
      ),
    );
    return { name: words.trim(), isSeen: isInWindow && isRinged && isOnTop };
  });
}

/** Presses Tab until the wanted element has the focus; the focus ring is visible at each stop. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const stops: Stop[] = [];
  do {
    if (stops.length > 80) throw new Error(`Not at ${wanted}, only at ${JSON.stringify(stops)}`);
    await page.keyboard.press('Tab');
    stops.push(await stopOf(page));
  } while (stops.at(-1)?.name !== wanted);
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
}

// proves: page.keyboard
test('a trigger is created, run, enabled and deleted with Tab, Enter, Space and arrow keys alone', async () => {
  const before = await home.read();
  const page = await open(home.at());
  await isLive(page);
  await page.locator('main [data-row] a', { hasText: 'Hello' }).waitFor();
  await tabTo(page, 'Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Enabled: weekday-report' }).waitFor();
  await tabTo(page, 'New trigger');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await tabTo(page, 'Name');
  await page.keyboard.type('by-keys');
  await tabTo(page, 'Daily');
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('radio', { name: 'Weekly', exact: true }).isChecked()).toBe(true);
  await tabTo(page, 'Prompt text');
  await page.keyboard.type('```bash\ntrue\n```\n');
  await tabTo(page, 'Read-only');
  await page.keyboard.press('Space');
  const bash = page.getByRole('checkbox', { name: /^Bash/ });
  while (!(await bash.evaluate((box) => box === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  await tabTo(page, 'Save and run now');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  const id = idOf(page.url());
  await eventually(async () => (await rest.run(id))['state'] === 'ended');
  expect(await rest.run(id)).toMatchObject({
    trigger: 'by-keys',
    outcome: 'succeeded',
    cause: 'manual',
    by: 'user',
  });
  expect(await rest.trigger('by-keys')).toMatchObject({
    trigger: { cron: expect.stringMatching(/^0 9 \* \* \S+$/) },
    run: { prompt: '```bash\ntrue\n```\n', tools: ['Read', 'Glob', 'Grep', 'Bash'] },
    enabled: false,
  });

  await page.goto(home.hello());
  await isLive(page);
  await page.getByRole('switch', { name: 'Enabled: by-keys' }).waitFor();
  await tabTo(page, 'Enabled: by-keys');
  await page.keyboard.press('Space');
  await eventually(async () => (await rest.trigger('by-keys'))['enabled'] as unknown as boolean);
  await page.getByRole('switch', { name: 'Enabled: by-keys', checked: true }).waitFor();
  await tabTo(page, 'More actions: by-keys');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  for (const item of ['Why?', 'Delete']) {
    await page.keyboard.press('ArrowDown');
    await eventually(async () => (await stopOf(page)).name === item);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Delete by-keys?' }).waitFor();
  await eventually(async () => (await stopOf(page)).name === 'Cancel');
  await tabTo(page, 'Delete');
  await page.keyboard.press('Enter');
  await eventually(async () => (await home.read()) === before);
});
