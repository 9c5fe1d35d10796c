import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { brokenName, brokenProject, PROJECTS, REPORT_CHAT, writeProjects } from './gallery/home.ts';
import { lifeOf } from './gallery/life.ts';
import { settled } from './gallery/take.ts';
import { open, type Service, startBrowser, startService } from './harness.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
});

async function serviceOn(projects: Readonly<Record<string, string>>): Promise<Service> {
  const home = await mkdtemp(join(tmpdir(), 'svc-layout-'));
  await writeProjects(home, projects);
  return startService({ home, config: 'limits: { concurrentTurns: 4 }\n' });
}

/** What lies over the edge, and controls that are lower than a finger or a pointer needs; a link in a sentence may be. */
function faultsOf(page: Page, least: number): Promise<string[]> {
  return page.evaluate((height) => {
    const isSideways = document.documentElement.scrollWidth > innerWidth;
    const all = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [role=switch]',
    );
    const isInSentence = (each: HTMLElement): boolean =>
      getComputedStyle(each).display === 'inline' &&
      [...(each.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
    const low = [...all].filter((each) => {
      const around = each.closest('label') ?? each;
      const box = around.getBoundingClientRect();
      const isSeen = each.checkVisibility() && box.bottom > 0 && box.width > 1;
      // The bars of a strip are a picture of what Runs lists.
      const isBar = each.closest('ol[aria-label^="Last runs"]') !== null;
      return isSeen && !isBar && !isInSentence(each) && box.height < height - 0.5;
    });
    const words = low.map(
      (each) => `${each.tagName} "${(each.textContent ?? '').slice(0, 30)}" ${each.className}`,
    );
    return [...(isSideways ? ['scrolls sideways'] : []), ...new Set(words)];
  }, least);
}

describe.each([
  { width: 390, least: 44 },
  { width: 1440, least: 24 },
] as const)('at $width px', ({ width, least }) => {
  let service: Service;
  const views: Record<string, string> = {};

  beforeAll(async () => {
    service = await serviceOn(PROJECTS);
    const life = lifeOf(service);
    await life.runThrough('website', ['check-links', 'backup', 'nightly-report']);
    const [run] = await life.runs('website', 'nightly-report');
    const chat = await life.chat('website', 'Links', REPORT_CHAT);
    const site = '/projects/website';
    Object.assign(views, {
      overview: '/',
      triggers: site,
      'long names and names from right to left': '/projects/docs',
      'a new trigger': `${site}/triggers/new`,
      'a trigger': `${site}/triggers/nightly-report`,
      'an invalid trigger': `${site}/triggers/sync-inbox`,
      runs: `${site}/runs`,
      'a run': `${site}/runs/${run?.['id']}`,
      chats: `${site}/chats`,
      'a chat': `${site}/chats/${chat}`,
      settings: '/settings',
      nowhere: '/nowhere',
    });
  });

  afterAll(async () => {
    await service.stop();
    await service.remove();
  });

  test('no view scrolls sideways or has a control that is too low', async () => {
    const found: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(views)) {
      const { page } = await open(browser, service.url + path, { width, theme: 'light' });
      await settled(page);
      const faults = await faultsOf(page, least);
      if (faults.length > 0) found[name] = faults;
      await page.close();
    }
    expect(found).toEqual({});
  });
});

describe.each([1, 3, 8])('with %i broken triggers', (count) => {
  let service: Service;

  beforeAll(async () => {
    service = await serviceOn({ hello: brokenProject(count) });
    const names = Array.from({ length: count }, (_, at) => brokenName(at));
    await lifeOf(service).runThrough('hello', names);
  });

  afterAll(async () => {
    await service.stop();
    await service.remove();
  });

  test.each([
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ] as const)(
    'the first screen of $width px has name, reason and next fire of each, and what runs tonight',
    async ({ width, height }) => {
      const { page } = await open(browser, service.url, { width, theme: 'light' });
      await page.setViewportSize({ width, height });
      const rows = page.getByRole('list', { name: 'Triggers that need you' }).getByRole('listitem');
      await rows.nth(count - 1).waitFor();
      const seen = await Promise.all(
        (await rows.all()).map(async (row) => {
          const { y = Infinity, height: rowHeight = 0 } = (await row.boundingBox()) ?? {};
          return { text: await row.textContent(), isInside: y + rowHeight <= height };
        }),
      );
      expect(seen).toHaveLength(count);
      for (const [at, { text, isInside }] of seen.entries()) {
        expect(text).toContain(brokenName(at));
        expect(text).toMatch(/Step 2 \(Bash\) failed: exit code 2.*03:\d\d|03:\d\d.*exit code 2/);
        expect(isInside).toBe(true);
      }
      const tonight = page.getByText(/^Until .*08:00: \d+ fires/);
      await tonight.waitFor();
      const { y = Infinity, height: own = 0 } = (await tonight.boundingBox()) ?? {};
      expect(y + own).toBeLessThanOrEqual(height);
      await page.close();
    },
  );
});
