import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';

const { tabs } = browserForFile();
const home = serviceFor({ fires: false });
const { rest } = home;

const KIB = 1024;
const COUNT = 200;
const entryOf = (at: number): string =>
  `  t${at}: { trigger: { type: schedule, cron: ${at % 60} 3 * * * }, run: { prompt: Look. }, enabled: true }\n`;

beforeAll(async () => {
  await writeFile(
    join(home.folder(), 'projects/hello/project.yaml'),
    `name: Hello\ntriggers:\n${Array.from({ length: COUNT }, (_, at) => entryOf(at)).join('')}`,
  );
  await eventually(
    async () => ((await rest.ask('/triggers'))['triggers'] as unknown[]).length === COUNT,
  );
});

interface Answer {
  readonly path: string;
  /** The transferred size, compressed. */
  readonly bytes: number;
}

/** Loads an address and returns the page with the responses that it needed, except for the change stream. */
async function load(address: string): Promise<{ page: Page; answers: Answer[] }> {
  const page = await (await tabs()).newPage();
  const answers: Answer[] = [];
  page.on('requestfinished', async (request) => {
    // A request that ends after its page is closed has no size.
    const sizes = await request.sizes().catch(() => null);
    if (sizes === null) return;
    answers.push({ path: new URL(request.url()).pathname, bytes: sizes.responseBodySize });
  });
  await page.goto(address);
  await isLive(page);
  await page.waitForFunction(() => document.querySelector('main [data-row]') !== null);
  await eventually(async () => answers.some(({ path }) => path.endsWith('/projects')));
  return { page, answers };
}

const sum = (answers: readonly Answer[], isMeant: (path: string) => boolean): number =>
  answers.filter(({ path }) => isMeant(path)).reduce((all, { bytes }) => all + bytes, 0);
const LATER =
  /\/(ChatsView|RunsView|RunView|EditorView|SettingsView|SignIn|Markdown|NewProjectDialog|KeysDialog)/;

describe('the first visit', () => {
  test.each(['/', '/projects/hello'])(
    '%s loads few bytes, and nothing that is needed later',
    async (path) => {
      const { answers } = await load(home.at(path));
      const js = sum(answers, (name) => name.endsWith('.js'));
      expect(js).toBeGreaterThan(50 * KIB);
      expect(js).toBeLessThanOrEqual(250 * KIB);
      expect(sum(answers, (name) => name.endsWith('.css'))).toBeLessThanOrEqual(15 * KIB);
      expect(answers.map((answer) => answer.path).filter((name) => LATER.test(name))).toEqual([]);
    },
  );

  test('a view is loaded when the user is about to open it', async () => {
    const { page, answers } = await load(home.hello());
    for (const [tab, chunk] of [
      ['Runs', /\/RunsView-/],
      ['Chats', /\/ChatsView-/],
    ] as const) {
      expect(answers.filter(({ path }) => chunk.test(path))).toEqual([]);
      await page.getByRole('link', { name: tab, exact: true }).first().hover();
      await eventually(async () => answers.some(({ path }) => chunk.test(path)));
    }
    expect(page.url()).toBe(home.hello());
  });
});

describe('a project with 200 triggers', () => {
  // proves: page.weight
  test('is fetched once, within its budget of bytes and elements', async () => {
    const { page, answers } = await load(home.hello());
    await page.locator('#upcoming').waitFor();
    expect(await page.locator('main [data-row]').count()).toBe(COUNT);
    const asked = answers.map(({ path }) => path).filter((path) => path.startsWith('/api/'));
    const of = (path: string): number => asked.filter((each) => each === path).length;
    expect(of('/api/projects/hello/triggers')).toBeLessThanOrEqual(2);
    expect(of('/api/projects/hello/upcoming')).toBeLessThanOrEqual(2);
    expect(asked.filter((path) => /\/triggers\/t\d/.test(path))).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(14);
    // Once at the start, and once more when the change stream is open.
    const bytes = sum(answers, (path) => path.startsWith('/api/'));
    expect(bytes).toBeLessThanOrEqual(40 * KIB);
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(elements).toBeLessThanOrEqual(50 * COUNT);
  });

  test('is not rendered again when time passes, nor when one trigger changes', async () => {
    const window = await tabs();
    await window.clock.install();
    const page = await window.newPage();
    await page.goto(home.hello());
    const step = async (is: () => Promise<boolean>): Promise<void> =>
      eventually(async () => {
        await page.clock.runFor(100);
        return is();
      });
    await step(async () => (await page.locator('#upcoming').count()) > 0);
    await step(async () => page.getByText('Live', { exact: true }).isVisible());
    // Less than the silence after which the change stream counts as lost.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000);
    await page.evaluate(() => {
      const changed: string[] = [];
      const rows = [...document.querySelectorAll('main [data-row]')];
      new MutationObserver((changes) => {
        for (const { target, addedNodes, removedNodes } of changes) {
          const at = target instanceof Element ? target : target.parentElement;
          // Advancing the clock makes the silence of the stream seem longer than it is; the notice about that does
          // not count as a render.
          const isOfStream = [...addedNodes, ...removedNodes, at?.closest('[role="status"]')].some(
            (node) => node?.textContent?.includes('Connection lost'),
          );
          if (isOfStream) continue;
          changed.push(at?.closest('[data-row]')?.id ?? `${at?.tagName}, ${addedNodes.length} new`);
        }
      }).observe(document.querySelector('main') as Element, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      Object.assign(globalThis, { changed, rows });
    });
    const changed = (): Promise<string[]> =>
      page.evaluate(() => (globalThis as unknown as { changed: string[] }).changed.splice(0));
    // Ten seconds within one minute: "in 10 h 12 min" does not change.
    const second = await page.evaluate(() => new Date().getSeconds());
    await page.clock.runFor((62 - second) * 1000);
    // So long a silence can look like a lost stream, which is then opened again.
    await step(async () => (await page.getByText('Connection lost').count()) === 0);
    await changed();
    await page.clock.runFor(10_000);
    expect(await changed()).toEqual([]);
    await page.clock.runFor(60_000);
    expect((await changed()).length).toBeLessThanOrEqual(2 * COUNT);

    await home.write(
      (await home.read()).replace(
        't7: { trigger: { type: schedule, cron: 7 3',
        't7: { trigger: { type: schedule, cron: 7 4',
      ),
    );
    const row = page
      .getByRole('row')
      .filter({ has: page.getByText('t7', { exact: true }) })
      .first();
    await step(async () => (await row.getByText(/04:07/).count()) > 0);
    const isKept = await page.evaluate(() => {
      const { rows } = globalThis as unknown as { rows: Element[] };
      return rows.filter((each) => each.isConnected).length;
    });
    expect(isKept).toBe(COUNT);
    expect((await rest.trigger('t7'))['trigger']).toMatchObject({ cron: '7 4 * * *' });
  });
});
