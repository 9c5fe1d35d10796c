import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  await writeFile(file(), (await readProject()) + BY_HAND);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await service.remove();
});

const file = (): string => join(service.home, 'projects/hello/project.yaml');
const readProject = (): Promise<string> => readFile(file(), 'utf8');
const BY_HAND = `
  by-hand:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n", tools: [Bash] }
`;
const isLive = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();
const hello = (): string => `${service.url}/projects/hello`;

async function runsOf(trigger: string): Promise<Record<string, unknown>[]> {
  const answer = await fetch(`${service.url}/api/projects/hello/runs?trigger=${trigger}`);
  return ((await answer.json()) as { runs: Record<string, unknown>[] }).runs;
}

describe('the triggers of a project', () => {
  test('the switch changes one line of the file, and an edit by hand moves the switch', async () => {
    const before = (await readProject()).split('\n');
    const { page, faults } = await open(browser, hello());
    const toggle = page.getByRole('switch', { name: 'On: weekday-report' });
    await isLive(page);
    await toggle.click();
    await eventually(async () => (await readProject()) !== before.join('\n'));
    const after = (await readProject()).split('\n');
    expect(after.filter((line, at) => line !== before[at])).toEqual(['    enabled: true']);

    await writeFile(file(), before.join('\n'));
    await eventually(async () => (await toggle.getAttribute('aria-checked')) === 'false');
    expect(faults).toEqual([]);
    await page.close();
  });

  test('Run now starts a run and opens it, in three interactions from the first page', async () => {
    const { page, faults } = await open(browser, service.url);
    await page.getByRole('link', { name: 'Hello' }).first().click();
    await page.getByRole('button', { name: 'Run now: by-hand' }).click();
    await page.waitForURL(/\/projects\/hello\/runs\/[0-9a-f-]{36}$/);
    await eventually(async () => (await runsOf('by-hand'))[0]?.['state'] === 'ended');
    const [run] = await runsOf('by-hand');
    expect(page.url().endsWith(String(run?.['id']))).toBe(true);
    expect(run).toMatchObject({ outcome: 'succeeded', cause: 'manual', by: 'user' });
    expect(faults).toEqual([]);
    await page.close();
  });

  test('an entry that is broken by hand says line and column, and the others stay armed', async () => {
    const before = await readProject();
    const { page } = await open(browser, hello());
    await isLive(page);
    await writeFile(file(), before.replace('interval: 30s', 'interval: soon'));
    await page.getByText(/^line \d+, column \d+$/).waitFor();
    expect(await page.getByRole('switch').count()).toBe(2);
    await page.getByRole('link', { name: 'Replace: heartbeat' }).waitFor();
    await writeFile(file(), before);
    await page.getByRole('switch', { name: 'On: heartbeat' }).waitFor();
    await page.close();
  });

  test('a file that cannot be read says where, and stays as it is', async () => {
    const before = await readProject();
    const broken = `${before}\n  - : [`;
    const { page } = await open(browser, hello());
    await isLive(page);
    await writeFile(file(), broken);
    await page.getByText(/^project\.yaml cannot be read: line \d+, column \d+\.$/).waitFor();
    expect(await readProject()).toBe(broken);
    await writeFile(file(), before);
    await page.getByRole('switch', { name: 'On: heartbeat' }).waitFor();
    await page.close();
  });

  test('deleting takes one entry out of the file and leaves every other byte', async () => {
    const before = await readProject();
    const extra = '  gone:\n    trigger: { type: webhook }\n    run: { prompt: Look. }\n';
    await writeFile(file(), before.replace('triggers:\n', `triggers:\n${extra}`));
    const { page } = await open(browser, hello());
    await page.getByRole('button', { name: 'More: gone' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete gone?' });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await eventually(async () => (await readProject()) === before);
    await page.close();
  });
});

describe('the connection', () => {
  test('that is lost is said to be, and is found again', async () => {
    const { page } = await open(browser, service.url);
    await isLive(page);
    await service.stop();
    await page.getByText(/^Connection lost \d+ s ago\. What you see may be old\./).waitFor();
    service = await startService({ home: service.home, port: new URL(service.url).port });
    await isLive(page);
    await page.close();
  });

  test('of a page that nobody sees is given back, so that a seventh one opens', async () => {
    const tabs = await browser.newContext();
    const hidden = Array.from({ length: 6 }, async () => {
      const page = await tabs.newPage();
      await page.goto(service.url);
      await isLive(page);
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
        document.dispatchEvent(new Event('visibilitychange'));
      });
    });
    await Promise.all(hidden);
    const seventh = await tabs.newPage();
    await seventh.goto(service.url);
    await isLive(seventh);
    await tabs.close();
  });
});

describe('addresses', () => {
  const ask = async (path: string, accept: string) => {
    const answer = await fetch(service.url + path, { headers: { accept } });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '' };
  };
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each([
    ['/', 'text/html'],
    ['/projects/hello', 'text/html'],
    ['/projects/hello/runs/01a2040a-be70-75ab-92eb-a91398c1229e', 'text/html'],
    ['/api/x', 'application/json'],
    ['/api/projects', 'application/json'],
    ['/assets/none.js', 'application/json'],
    ['/.well-known/none', 'application/json'],
    ['/mcp', 'application/json'],
    ['/metrics', 'text/plain'],
  ])('%s is answered to a browser as %s', async (path, type) => {
    expect((await ask(path, BROWSER)).type).toContain(type);
  });

  test.each(['*/*', 'text/plain'])('/ is a text for whoever accepts %s', async (accept) => {
    expect(await ask('/', accept)).toMatchObject({
      status: 200,
      type: 'text/plain; charset=utf-8',
    });
  });
});

describe.each(LOOKS)('at $width px, $theme', (look) => {
  const isPlain = async (page: Page): Promise<void> => {
    expect(await violations(page)).toEqual([]);
    const shape = await page.evaluate(() => ({
      styleTags: document.querySelectorAll('style').length,
      sideways: document.documentElement.scrollWidth > innerWidth,
    }));
    expect(shape).toEqual({ styleTags: 0, sideways: false });
  };

  test.each(['/', '/projects/hello', '/nowhere'])(
    '%s has no violation, no inline style, no sideways scrolling',
    async (path) => {
      const { page, faults } = await open(browser, service.url + path, look);
      await isLive(page);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await isPlain(page);
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test('menus, dialogs and the drawer neither', async () => {
    const { page, faults } = await open(browser, hello(), look);
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await isPlain(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More: heartbeat' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await isPlain(page);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').waitFor();
    await isPlain(page);
    await page.keyboard.press('Escape');
    if (look.width === 390) {
      await page.getByRole('button', { name: /^Projects/ }).click();
      await page.getByRole('dialog').waitFor();
      await isPlain(page);
    }
    expect(faults).toEqual([]);
    await page.close();
  });
});
