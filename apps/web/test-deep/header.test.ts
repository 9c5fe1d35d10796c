import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  eventually,
  LOOKS,
  open,
  type Service,
  startBrowser,
  startService,
  violations,
} from './harness.ts';

let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await startService();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await service.remove();
});

const isLive = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();

async function runsOf(trigger: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${service.url}/api/projects/hello/runs?trigger=${trigger}`);
  return ((await answer.json()) as { runs: Record<string, unknown>[] }).runs;
}

test('by keys alone: to a project, to a trigger, and it runs', async () => {
  const { page, faults } = await open(browser, service.url);
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
  await page.getByRole('switch', { name: 'On: weekday-report' }).waitFor();
  await goTo('weekday-report');
  await page.keyboard.press('r');
  await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
  await eventually(async () => (await runsOf('weekday-report'))[0]?.['state'] === 'ended');
  expect((await runsOf('weekday-report'))[0]).toMatchObject({ cause: 'manual', by: 'user' });
  await page.getByRole('button', { name: /^\d+ ended$/ }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});

test('a service that goes and comes back takes nothing that was typed with it', async () => {
  const { page } = await open(browser, service.url);
  await isLive(page);
  await page.keyboard.press('n');
  await page.getByLabel('Name').fill('While it was gone');
  await service.stop();
  await page.getByText(/^Connection lost \d+ s ago\./).waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  service = await startService({ home: service.home, port: new URL(service.url).port });
  await isLive(page);
  expect(await page.getByLabel('Name').inputValue()).toBe('While it was gone');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/projects/while-it-was-gone');
  await page.close();
});

test.each(['/settings', '/sign-in', '/sign-in?next=/projects/hello', '/projects/hello/chats'])(
  '%s is a page of its own when it is opened, and JSON below /api',
  async (path) => {
    const { page, faults } = await open(browser, service.url + path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const answer = await page.request.get(`${service.url}/api${path}`);
    expect(answer.headers()['content-type']).toContain('application/json');
    expect(faults).toEqual([]);
    await page.close();
  },
);

const STATUS = {
  running: [
    {
      ...{ turnId: 't1', project: 'hello', sessionId: 's1', chat: 'heartbeat', runId: 'r1' },
      ...{ trigger: 'heartbeat', startedAt: '2026-03-02T03:00:00.000Z' },
    },
    {
      ...{ turnId: 't2', project: 'hello', sessionId: 's2', chat: 'A question', runId: null },
      ...{ trigger: null, startedAt: '2026-03-02T03:00:00.000Z' },
    },
  ],
};
const SETTINGS = {
  settings: {
    envFile: { value: null, source: 'default' },
    'limits.turnTimeout': { value: '60m', source: 'default' },
    'server.port': { value: 0, source: 'flag' },
    'server.publicHosts': { value: ['a.example', 'b.example'], source: 'file' },
  },
  clients: [
    {
      clientId: 'ci',
      scope: {
        ...{ projects: ['hello'], allow: ['list_*', 'run_trigger'], deny: ['read_chat'] },
        ...{ denyProjects: [], maxSpawnDepth: 2 },
      },
    },
  ],
  runtimes: [
    { id: 'native', isDefault: true, ready: true, reason: null },
    { id: 'other', isDefault: false, ready: false, reason: 'It is not installed.' },
  ],
};

describe.each(LOOKS)('at $width px, $theme', (look) => {
  const isPlain = async (page: Page): Promise<void> => {
    expect(await violations(page)).toEqual([]);
    const isSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isSideways).toBe(false);
  };

  test('header, settings and dialogs have no violation and no sideways scrolling', async () => {
    const { page, faults } = await open(browser, `${service.url}/sign-in`, look);
    await page.route('**/api/status', (route) => route.fulfill({ json: STATUS }));
    await page.route('**/api/settings', (route) => route.fulfill({ json: SETTINGS }));
    await page.goto(`${service.url}/settings`);
    await page.getByText('server.port').waitFor();
    await isPlain(page);
    for (const name of [/^2 running$/, /^\d+ ended$/]) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await isPlain(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await isPlain(page);
    await page.keyboard.press('Escape');
    await page.goto(service.url);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel(/^As a clone/).check();
    await isPlain(page);
    expect(faults).toEqual([]);
    await page.close();
  });
});
