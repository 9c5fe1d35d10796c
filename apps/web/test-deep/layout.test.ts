import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { faultsAt, type Measure } from './faults.ts';
import {
  brokenName,
  brokenProject,
  HEBREW_NAME,
  LONG_NAME,
  PROJECTS,
  REPORT_CHAT,
  writeProjects,
} from './gallery/home.ts';
import { lifeOf } from './gallery/life.ts';
import { settled } from './gallery/take.ts';
import { browserForFile, violations } from './pages.ts';
import { HELD, HELD_STATUS, MUCH_USED, SETTINGS } from './samples.ts';
import { type Service, startService } from './service.ts';

const browser = browserForFile();

// The longest possible name, without a place to wrap.
const ONE_WORD = 'donaudampfschiff'.repeat(4).slice(0, 63);
// Fails with the longest stored reason, half of it right to left, with words that cannot wrap.
const TALKATIVE = 'says-much-when-it-fails';
const LONG_REASON = `${'/var/lib/'.repeat(12)} הדיסק מלא ואין מקום לכתוב `.repeat(9);
const LONG_FAILURE = `\`\`\`bash\necho ${JSON.stringify(LONG_REASON)} >&2; exit 2\n\`\`\`\n`;
const ONE_WORD_PROJECT = `name: ${ONE_WORD}
triggers:
  ${ONE_WORD}:
    trigger: { type: schedule, cron: "0 3 29 2 *" }
    run: { prompt: "Do it.", tools: [] }
    enabled: true
  ${TALKATIVE}:
    trigger: { type: schedule, cron: "0 3 29 2 *", timezone: America/Argentina/ComodRivadavia }
    run: { prompt: ${JSON.stringify(LONG_FAILURE)}, tools: [Bash] }
    enabled: true
`;

async function serviceOn(projects: Readonly<Record<string, string>>): Promise<Service> {
  const home = await mkdtemp(join(tmpdir(), 'svc-layout-'));
  await writeProjects(home, projects);
  return startService({ home, config: 'limits: { concurrentTurns: 4 }\n' });
}

const WIDTHS = [320, 390, 768, 900, 1024, 1100, 1280, 1366, 1440, 1920] as const;

/** The width from which there is a sidebar and targets may be sized for a mouse. */
const WIDE = 900;

const measureAt = (width: number): Measure =>
  width < WIDE ? { least: 44, links: 'a[href]' } : { least: 36, links: 'nav a[href]' };

/** The faults of a page at every width, each with the widths at which it occurs. */
async function faultsOf(page: Page, widths: readonly number[] = WIDTHS): Promise<string[]> {
  const seen = new Map<string, number[]>();
  for (const width of widths) {
    for (const fault of await faultsAt(page, width, measureAt(width))) {
      seen.set(fault, [...(seen.get(fault) ?? []), width]);
    }
  }
  return [...seen].map(([fault, at]) => `${fault} (${at.join(', ')} px)`);
}

const LIGHT = { width: 1440, theme: 'light' } as const;
const SITE = '/projects/website';
const WORD = `/projects/${ONE_WORD}`;

describe('at every width', () => {
  let service: Service;
  let chat = '';
  const runs: Record<string, string> = {};
  const open = (path: string): Promise<Page> => browser.open(service.url + path, LIGHT);

  beforeAll(async () => {
    service = await serviceOn({
      ...PROJECTS,
      [ONE_WORD]: ONE_WORD_PROJECT,
      empty: 'name: Empty\nstatus: active\n',
    });
    const life = lifeOf(service);
    await life.runThrough('website', ['check-links', 'backup', 'nightly-report']);
    await life.runThrough('docs', [LONG_NAME, HEBREW_NAME]);
    await life.runThrough(ONE_WORD, [ONE_WORD, TALKATIVE]);
    for (const [slug, name] of [
      ['website', 'nightly-report'],
      [ONE_WORD, TALKATIVE],
    ] as const) {
      runs[name] = String((await life.runs(slug, name))[0]?.['id']);
    }
    chat = await life.chat('website', 'Links', REPORT_CHAT);
    await life.archive('docs', await life.chat('docs', ONE_WORD, REPORT_CHAT));
  });

  afterAll(async () => {
    await service.stop();
    await service.remove();
  });

  // proves: page.widths
  test.each([
    ['overview', '/'],
    ['triggers', SITE],
    ['long names and names from right to left', '/projects/docs'],
    ['legacy schedules', '/projects/house'],
    ['a project without triggers', '/projects/empty'],
    ['a new trigger', `${SITE}/triggers/new`],
    ['a trigger', `${SITE}/triggers/nightly-report`],
    ['why of a trigger', `${SITE}/triggers/nightly-report/why`],
    ['a project and a trigger of one word', WORD],
    ['a trigger of one word', `${WORD}/triggers/${ONE_WORD}`],
    ['why of a trigger of one word', `${WORD}/triggers/${ONE_WORD}/why`],
    ['runs of a trigger of one word', `${WORD}/runs`],
    ['events', '/projects/docs/events'],
    ['events of a project of one word', `${WORD}/events`],
    ['no events', '/projects/empty/events'],
    ['an invalid trigger', `${SITE}/triggers/sync-inbox`],
    ['runs', `${SITE}/runs`],
    ['runs of long names', '/projects/docs/runs'],
    ['no runs', '/projects/empty/runs'],
    ['a run', `${SITE}/runs/RUN`],
    ['a run with a long reason', `${WORD}/runs/LONG`],
    ['chats', `${SITE}/chats`],
    ['no chats', '/projects/empty/chats'],
    ['a chat', `${SITE}/chats/CHAT`],
    ['settings', '/settings'],
    ['sign-in', '/sign-in'],
    ['nowhere', '/nowhere'],
  ])('%s: nothing scrolls sideways, is cut off, overlaps or is squeezed', async (_view, path) => {
    const address = path
      .replace('RUN', String(runs['nightly-report']))
      .replace('LONG', String(runs[TALKATIVE]))
      .replace('CHAT', chat);
    const page = await open(address);
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  test('an overview without projects', async () => {
    const page = await open('/nowhere');
    await page.route(/\/api\/projects$/, (route) => route.fulfill({ json: { projects: [] } }));
    await page.goto(service.url);
    await page.getByText(/^No projects yet/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  // proves: page.narrow
  test('a paused service, a clock that was set back and high usage', async () => {
    const page = await open('/nowhere');
    await page.route(/\/api\/status$/, (route) => route.fulfill({ json: HELD_STATUS }));
    await page.route(/\/api\/settings$/, (route) => route.fulfill({ json: SETTINGS }));
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
    await page.getByText('Usage in the last 30 days').click();
    await page.getByRole('table', { name: /^Days in / }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    const row = page.locator('main [data-row]');
    await row.getByRole('link', { name: 'on-archive', exact: true }).click();
    await page.getByRole('button', { name: 'Resume now: on-archive' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
    await page.goto(`${service.url}/settings`);
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a long changed line scrolls inside its box, and two versions are side by side', async () => {
    const page = await open(`${SITE}/triggers/nightly-report`);
    await page.getByLabel('Prompt text').fill('Look.');
    await page.getByRole('region', { name: 'Changed lines' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const path = join(service.home, 'projects/website/project.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/(nightly-report":\n.*cron: ")0 3/, '$110 4'));
    await page.getByRole('button', { name: 'Keep mine' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
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
    'the first screen of $width px has name, reason and next run of each, and what runs tonight',
    async ({ width, height }) => {
      const page = await browser.open(service.url, { width, theme: 'light' });
      await page.setViewportSize({ width, height });
      const rows = page
        .getByRole('list', { name: 'Triggers that need attention' })
        .getByRole('listitem');
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
      const tonight = page.getByText(/^Scheduled before .*08:00: (\d+ runs?|no runs)/);
      await tonight.waitFor();
      const { y = Infinity, height: own = 0 } = (await tonight.boundingBox()) ?? {};
      expect(y + own).toBeLessThanOrEqual(height);
    },
  );
});
