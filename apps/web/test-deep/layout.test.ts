import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { brokenName, brokenProject, PROJECTS, REPORT_CHAT, writeProjects } from './gallery/home.ts';
import { lifeOf } from './gallery/life.ts';
import { settled } from './gallery/take.ts';
import { browserForFile, violations } from './pages.ts';
import { HELD, HELD_STATUS, MUCH_USED } from './samples.ts';
import { type Service, startService } from './service.ts';

const browser = browserForFile();

// As long as a name may be, without a place to break it.
const ONE_WORD = 'donaudampfschiff'.repeat(4).slice(0, 63);
const ONE_WORD_PROJECT = `name: ${ONE_WORD}
triggers:
  ${ONE_WORD}:
    trigger: { type: schedule, cron: "0 3 29 2 *" }
    run: { prompt: "Do it.", tools: [] }
    enabled: true
`;

async function serviceOn(projects: Readonly<Record<string, string>>): Promise<Service> {
  const home = await mkdtemp(join(tmpdir(), 'svc-layout-'));
  await writeProjects(home, projects);
  return startService({ home, config: 'limits: { concurrentTurns: 4 }\n' });
}

/** What lies over the edge or runs into its neighbour, and controls that are lower than a finger or a pointer needs; words that lead on may be. */
function faultsOf(page: Page, { least, links }: Measure): Promise<string[]> {
  return page.evaluate(
    ([height, among]) => {
      const isInSentence = (each: Element): boolean =>
        getComputedStyle(each).display === 'inline' &&
        each.parentElement?.textContent?.trim() !== each.textContent?.trim();
      // What is pressed may be larger than what is seen.
      const heightOf = (each: Element): number =>
        Math.max(
          (each.closest('label') ?? each).getBoundingClientRect().height,
          Number.parseFloat(getComputedStyle(each, '::before').height) || 0,
        );
      const low = [...document.querySelectorAll<HTMLElement>(among)].filter((each) => {
        const box = each.getBoundingClientRect();
        const isSeen = each.checkVisibility() && box.bottom > 0 && box.width > 1;
        // The bars of a strip are a picture of what Runs lists.
        const isBar = each.closest('ol[aria-label^="Last runs"]') !== null;
        return isSeen && !isBar && !isInSentence(each) && heightOf(each) < height - 0.5;
      });
      const isSideways = document.documentElement.scrollWidth > innerWidth;
      // Beside each other, one may not run into the next.
      const cells = 'main :is(td, th, [data-row] > :not(:has([role=switch])))';
      const wide = [...document.querySelectorAll(cells)].filter(
        ({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth,
      );
      const words = (some: readonly Element[], of: string): string[] =>
        some.map((each) => `${of}: ${each.tagName} ${each.className} ${each.textContent}`);
      return [
        ...(isSideways ? ['scrolls sideways'] : []),
        ...new Set([...words(low, 'low'), ...words(wide, 'overflows')]),
      ];
    },
    [least, `${CONTROLS}, ${links}`] as const,
  );
}

const CONTROLS = 'button, input, select, textarea, summary, [role=switch]';

interface Measure {
  /** Least height of a control in px. */
  readonly least: number;
  /** Selector of the links that count as controls. */
  readonly links: string;
}

describe.each([
  { width: 390, least: 44, links: 'a[href]' },
  { width: 1440, least: 36, links: 'nav a[href]' },
] as const)('at $width px', ({ width, ...measure }) => {
  let service: Service;
  const views: Record<string, string> = {};

  beforeAll(async () => {
    service = await serviceOn({ ...PROJECTS, [ONE_WORD]: ONE_WORD_PROJECT });
    const life = lifeOf(service);
    await life.runThrough('website', ['check-links', 'backup', 'nightly-report']);
    await life.runThrough(ONE_WORD, [ONE_WORD]);
    const [run] = await life.runs('website', 'nightly-report');
    const chat = await life.chat('website', 'Links', REPORT_CHAT);
    const site = '/projects/website';
    Object.assign(views, {
      overview: '/',
      triggers: site,
      'long names and names from right to left': '/projects/docs',
      'a new trigger': `${site}/triggers/new`,
      'a trigger': `${site}/triggers/nightly-report`,
      'why of a trigger': `${site}/triggers/nightly-report/why`,
      'a project and a trigger of one word': `/projects/${ONE_WORD}`,
      'a trigger of one word': `/projects/${ONE_WORD}/triggers/${ONE_WORD}`,
      'why of a trigger of one word': `/projects/${ONE_WORD}/triggers/${ONE_WORD}/why`,
      'events of a project of one word': `/projects/${ONE_WORD}/events`,
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

  // proves: page.narrow
  test('no view scrolls sideways or has a control that is too low', async () => {
    const found: Record<string, string[]> = {};
    for (const [name, path] of Object.entries(views)) {
      const page = await browser.open(service.url + path, { width, theme: 'light' });
      await settled(page);
      const faults = await faultsOf(page, measure);
      if (faults.length > 0) found[name] = faults;
      await page.close();
    }
    expect(found).toEqual({});
  });

  test('nor does it where the machine is in the way, a clock was set back and much was used', async () => {
    const page = await browser.open('about:blank', { width, theme: 'light' });
    await page.route(/\/api\/status$/, (route) => route.fulfill({ json: HELD_STATUS }));
    await page.route(/\/usage\?/, (route) => route.fulfill({ json: MUCH_USED }));
    await page.route(/\/triggers\/runtime$/, async (route) => {
      const { runtime } = await (await route.fetch()).json();
      const held = runtime.map((each: object) => ({ ...each, ...HELD }));
      await route.fulfill({ json: { runtime: held } });
    });
    await page.goto(`${service.url}/projects/docs`);
    await page
      .getByText(/^Silent until /)
      .first()
      .waitFor();
    await page.getByText('Use in the last 30 days').click();
    await page.getByRole('table', { name: /^Days in / }).waitFor();
    expect(await faultsOf(page, measure)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'on-archive', exact: true }).click();
    await page.getByRole('button', { name: 'Go on now: on-archive' }).waitFor();
    expect(await faultsOf(page, measure)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
  });

  test('a long line that changes scrolls in its box alone', async () => {
    const path = `${service.url}/projects/website/triggers/nightly-report`;
    const page = await browser.open(path, { width, theme: 'light' });
    await page.getByLabel('What the agent is told').fill('Look.');
    await page.getByRole('region', { name: 'Changed lines' }).waitFor();
    expect(await faultsOf(page, measure)).toEqual([]);
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

  // proves: page.first-screen
  test.each([
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ] as const)(
    'the first screen of $width px has name, reason and next fire of each, and what runs tonight',
    async ({ width, height }) => {
      const page = await browser.open(service.url, { width, theme: 'light' });
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
      const tonight = page.getByText(/^Until .*08:00: (\d+ fires?|nothing fires)/);
      await tonight.waitFor();
      const { y = Infinity, height: own = 0 } = (await tonight.boundingBox()) ?? {};
      expect(y + own).toBeLessThanOrEqual(height);
    },
  );
});
