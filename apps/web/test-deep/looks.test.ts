import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';
import { SETTINGS, STATUS } from './samples.ts';

const { open } = browserForFile();
const home = serviceFor({
  fires: false,
  triggers: `
  failing:
    trigger: { type: schedule, cron: 0 3 * * * }
    run: { prompt: "\`\`\`bash\\necho broken >&2; exit 3\\n\`\`\`\\n", tools: [Read, Bash] }
    enabled: true
  endless:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`\\n", tools: [Bash] }
    enabled: true
  often:
    trigger: { type: schedule, interval: 15m }
    run: { prompt: Look around. }
    enabled: true
  hook:
    trigger: { type: event, on: onArchive }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n", tools: [Bash] }
    enabled: true
  invalid:
    trigger: { type: schedule, cron: "0 3 * *" }
schedules:
  old-one: { type: cron, cron: 0 4 * * *, prompt: Look., enabled: true }
`,
});
const { rest } = home;
const SAID = `# A report

A [link](https://example.org/), \`code\`, *much* and **more**.

| a | b |
| - | - |
| 1 | 2 |

> said

- one
- two

\`\`\`bash
echo done
\`\`\`
`;
const ids = { run: '', open: '', chat: '' };

beforeAll(async () => {
  for (const [slug, text] of [
    ['broken', 'name: Broken\ntriggers:\n  - : [\n'],
    ['empty', 'name: Empty\n'],
  ] as const) {
    await mkdir(join(home.folder(), 'projects', slug));
    await writeFile(join(home.folder(), 'projects', slug, 'project.yaml'), text);
  }
  ids.run = await rest.fire('failing');
  ids.chat = String((await rest.post('/chats', { prompt: SAID }))['sessionId']);
  await eventually(async () => (await rest.run(ids.run))['state'] === 'ended');
  await eventually(async () => (await rest.chat(ids.chat))['running'] === false);
  await rest.post(`/chats/${String((await rest.run(ids.run))['sessionId'])}/archive`);
  ids.open = await rest.fire('endless');
  await eventually(async () => (await rest.run(ids.open))['state'] === 'running');
});

/**
 * The accessibility violations of the current page; in the dark theme only colors are checked, since all else is
 * the same.
 */
async function remarks(page: Page): Promise<string[]> {
  const said = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  said.push(...(await violations(page, ['color-contrast'])).map((text) => `dark: ${text}`));
  await page.emulateMedia({ colorScheme: 'light' });
  const isSideways = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return isSideways ? [...said, 'It scrolls sideways.'] : said;
}

const check = async (page: Page): Promise<void> => expect(await remarks(page)).toEqual([]);
/** Opens a popup, checks it, and closes it with Escape. */
async function around(page: Page, button: RegExp | string, inside: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await page.locator(inside).first().waitFor();
  await check(page);
  await page.keyboard.press('Escape');
  await page.locator(inside).first().waitFor({ state: 'detached' });
}

const UNKNOWN_ID = '01a2040a-be70-75ab-92eb-a91398c1229e';
const HELLO = '/projects/hello';
type Row = readonly [path: string, what: string, more?: (page: Page) => Promise<void>];

const ROWS: readonly Row[] = [
  [
    '/',
    'main [data-row]',
    async (page) => {
      await around(page, /^Theme/, '[role=menu]');
      await around(page, /^\d+ running$/, '[role=dialog]');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await check(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'New project' }).click();
      await page.getByLabel('Name').waitFor();
      await check(page);
      await page.getByLabel(/clone/).check();
      await check(page);
    },
  ],
  [
    HELLO,
    '#upcoming',
    async (page) => {
      await around(page, 'More actions: failing', '[role=menu]');
      await page.getByRole('button', { name: 'More actions: failing' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').waitFor();
      await check(page);
      await page.keyboard.press('Escape');
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      const drawer = page.getByRole('button', { name: /^Projects/ });
      if (await drawer.isVisible()) await around(page, /^Projects/, '[role=dialog]');
    },
  ],
  ['/projects/broken', 'main [role=status]'],
  ['/projects/empty', 'main p'],
  ['/projects/unknown', 'main h1'],
  ['/nowhere', 'main h1'],
  [
    `${HELLO}/triggers/new`,
    'main form time',
    async (page) => {
      await page.getByText('Limits and policy').click();
      await page.getByRole('button', { name: 'All tools' }).click();
      await check(page);
      await page.getByRole('button', { name: 'Save to project.yaml' }).click();
      await page.locator('[aria-invalid=true]').first().waitFor();
      await check(page);
      await page.getByRole('radio', { name: 'Event' }).check();
      await page.getByRole('radio', { name: 'File' }).check();
      await check(page);
      await page.getByRole('link', { name: 'svc, overview' }).click();
      await page.getByRole('alertdialog').waitFor();
      await check(page);
    },
  ],
  [`${HELLO}/triggers/failing`, 'main form time'],
  [`${HELLO}/triggers/often`, 'main form time'],
  [`${HELLO}/triggers/invalid`, 'main form'],
  [`${HELLO}/triggers/failing/why`, 'main ul[aria-label=Changes] li'],
  [`${HELLO}/triggers/unknown/why`, 'main [role=alert], main h1'],
  [`${HELLO}/triggers/unknown`, 'main [role=alert], main h1'],
  [`${HELLO}/runs`, 'main a[href*="/runs/"]', (page) => around(page, /^Outcome/, '[role=menu]')],
  [`${HELLO}/runs?trigger=unknown`, 'main a[href$="/runs"]'],
  [`${HELLO}/events`, 'main a[href*="/runs/"]'],
  [`${HELLO}/events?event=afterTurn`, 'main [aria-label=Events]'],
  ['/projects/empty/events', 'main search + p'],
  [`${HELLO}/triggers/hook`, 'main form'],
  [`${HELLO}/runs/RUN`, 'main details'],
  [`${HELLO}/runs/OPEN`, 'main [role=status]'],
  [`${HELLO}/runs/${UNKNOWN_ID}`, 'main [role=alert], main h1'],
  [
    `${HELLO}/chats?archived=true`,
    'main nav ul',
    async (page) => {
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.getByRole('dialog', { name: 'New chat' }).waitFor();
      await check(page);
    },
  ],
  [`${HELLO}/chats/CHAT`, 'main [role=log] table'],
  [`${HELLO}/chats/${UNKNOWN_ID}`, 'main [role=alert], main h1'],
  ['/sign-in', 'main h1'],
];

describe.each([1440, 390] as const)('at %d px, in both themes', (width) => {
  const look = { width, theme: 'light' } as const;

  const rows = ROWS.map(([path, what, more = () => Promise.resolve()]) => ({ path, what, more }));

  // proves: page.accessible
  test.each(rows)('$path and its popups have no violations', async (row) => {
    const { path, what, more } = row;
    const address = path
      .replace('RUN', ids.run)
      .replace('OPEN', ids.open)
      .replace('CHAT', ids.chat);
    const page = await open(home.at(address), look);
    if (path !== '/sign-in') await isLive(page);
    await page.locator(what).first().waitFor();
    await check(page);
    await more(page);
  });

  test('the settings and the unread runs have no violations', async () => {
    const page = await open(home.at('/nowhere'), look);
    await page.route('**/api/status', (route) => route.fulfill({ json: STATUS }));
    await page.route('**/api/settings', (route) => route.fulfill({ json: SETTINGS }));
    await page.goto(home.at('/settings'));
    await page.getByText('server.port').waitFor();
    await check(page);
    await around(page, /^2 running$/, '[role=dialog]');
    await around(page, /^\d+ .*(finished|failed)$/, '[role=dialog]');
  });
});

describe('with an access token', () => {
  const closed = serviceFor({
    config: 'auth: { mode: token, tokenRef: "env:SVC_ACCESS_TOKEN" }\n',
    env: { SVC_ACCESS_TOKEN: 'a token that is hard to guess' },
  });

  test.each([1440, 390] as const)('the sign-in has no violations at %d px', async (width) => {
    const page = await open(closed.at('/sign-in'), { width, theme: 'light' });
    await page.getByLabel('Access token').waitFor();
    await check(page);
    await page.getByLabel('Access token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(/^Wrong access token/).waitFor();
    await check(page);
  });
});
