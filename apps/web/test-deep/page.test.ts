import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { PLAIN_HOST } from './browser.ts';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';

const BY_HAND = `
  by-hand:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n", tools: [Bash] }
    enabled: true
`;

const { open, tabs, unwatched } = browserForFile();
const home = serviceFor({
  triggers: BY_HAND,
  config: `server: { publicHosts: [${PLAIN_HOST}] }\n`,
});
const { rest } = home;

interface Invalid {
  readonly issues: readonly { line: number; column: number }[];
}
interface Armed {
  readonly name: string;
  readonly nextFire: string | null;
}

describe('the triggers of a project', () => {
  let sample = '';
  beforeAll(async () => {
    sample = await home.read();
  });
  afterEach(() => home.write(sample));

  // proves: rest.page, page.switch
  test('the switch changes one line of the file', async () => {
    const before = (await home.read()).split('\n');
    const page = await open(home.hello());
    const toggle = page.getByRole('switch', { name: 'Enabled: weekday-report' });
    await isLive(page);
    await toggle.click();
    await eventually(async () => (await home.read()) !== before.join('\n'));
    const after = (await home.read()).split('\n');
    expect(after.filter((line, at) => line !== before[at])).toEqual(['    enabled: true']);
    await home.write(before.join('\n'));
    await eventually(async () => (await toggle.getAttribute('aria-checked')) === 'false');
  });

  test('a manual edit appears at once, pushed by the stream and not polled', async () => {
    const window = await tabs();
    await window.clock.install();
    const page = await window.newPage();
    await page.goto(home.hello());
    await eventually(async () => {
      await page.clock.runFor(100);
      return page.getByText('Live', { exact: true }).isVisible();
    });
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    const before = await home.read();
    const row = page.getByRole('row').filter({ hasText: 'weekday-report' });
    await row.getByText('Weekdays at 09:00').or(row.getByText(/09:00/)).first().waitFor();
    // From here on the clock of the page advances by a fiftieth of a second per step, by less than a second in
    // total.
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const start = await page.evaluate(() => Date.now());
    await home.write(before.replace('cron: 0 9 * * 1-5', 'cron: 45 16 * * 1-5'));
    await eventually(async () => {
      const { trigger } = await rest.trigger('weekday-report');
      return trigger?.['cron'] === '45 16 * * 1-5';
    });
    await eventually(async () => {
      await page.clock.runFor(20);
      return (await row.getByText(/16:45/).count()) > 0;
    });
    expect((await page.evaluate(() => Date.now())) - start).toBeLessThan(1000);
    expect(await page.evaluate(() => 'isSame' in globalThis)).toBe(true);
    expect((await rest.trigger('weekday-report'))['trigger']).toMatchObject({
      cron: '45 16 * * 1-5',
    });
  });

  test('an entry that was broken by hand shows line and column, and the others stay armed', async () => {
    const before = await home.read();
    const page = await open(home.hello());
    await isLive(page);
    await home.write(before.replace('interval: 30s', 'interval: soon'));
    const place = page.getByText(/^line \d+, column \d+$/);
    await place.waitFor();
    expect(await page.getByRole('switch').count()).toBe(2);
    const { invalid } = (await rest.ask('/triggers')) as { invalid: Invalid[] };
    const [issue] = invalid[0]?.issues ?? [];
    expect(await place.textContent()).toBe(`line ${issue?.line}, column ${issue?.column}`);
    const line = (await home.read()).split('\n')[Number(issue?.line) - 1];
    expect(line?.slice(Number(issue?.column) - 1)).toBe('soon');
    const { runtime } = (await rest.ask('/triggers/runtime')) as { runtime: Armed[] };
    expect(runtime.find(({ name }) => name === 'by-hand')?.nextFire).not.toBeNull();
    await page.getByRole('link', { name: 'Replace: heartbeat' }).waitFor();
    await home.write(before);
    await page.getByRole('switch', { name: 'Enabled: heartbeat' }).waitFor();
  });

  test('an unreadable file shows the position of the error and stays unchanged', async () => {
    const before = await home.read();
    const broken = `${before}\n  - : [`;
    const page = await open(home.hello());
    await isLive(page);
    await home.write(broken);
    await page.getByText(/^project\.yaml cannot be read: line \d+, column \d+\.$/).waitFor();
    expect(await home.read()).toBe(broken);
    await home.write(before);
    await page.getByRole('switch', { name: 'Enabled: heartbeat' }).waitFor();
  });

  // proves: page.legacy
  test('legacy schedules are shown, and the page neither changes nor runs them', async () => {
    const before = await home.read();
    const legacy =
      'schedules:\n  old-one: { type: cron, cron: 0 3 * * *, prompt: Look., enabled: true }\n';
    await home.write(`${before}${legacy}`);
    const page = await open(home.hello());
    const section = page.getByRole('region', { name: 'Legacy schedules' });
    await section.getByRole('rowheader', { name: /^old-one/ }).waitFor();
    for (const role of ['switch', 'button', 'link', 'menuitem'] as const) {
      expect(await section.getByRole(role).count()).toBe(0);
    }
    await section.getByText('old-one').click();
    for (const key of ['r', 'e']) await page.keyboard.press(key);
    expect(page.url()).toBe(home.hello());
    expect(await home.read()).toBe(`${before}${legacy}`);
    expect(await rest.runs('old-one')).toEqual([]);
    const { legacySchedules } = (await rest.ask('/triggers')) as { legacySchedules: unknown[] };
    expect(legacySchedules).toMatchObject([{ name: 'old-one' }]);
  });

  // proves: page.delete
  test('deleting removes one entry of the file and keeps every other byte', async () => {
    const before = await home.read();
    const extra = '  gone:\n    trigger: { type: webhook }\n    run: { prompt: Look. }\n';
    await home.write(before.replace('triggers:\n', `triggers:\n${extra}`));
    const page = await open(home.hello());
    await page.getByRole('button', { name: 'More actions: gone' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete gone?' });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await eventually(async () => (await home.read()) === before);
  });
});

describe('the connection', () => {
  test('shows that it is lost, and recovers', async () => {
    const page = await open(home.at());
    await isLive(page);
    await home.stop();
    await page.getByText(/^Connection lost \d+ s ago\. This page may be out of date\./).waitFor();
    await home.start();
    await isLive(page);
  });

  test('loads a view after the lost connection is restored', async () => {
    const { context } = await unwatched();
    const page = await context.newPage();
    await page.goto(home.hello());
    await isLive(page);
    await home.stop();
    await page.getByText('Connection lost', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const trouble = page.getByText('The service is not responding.');
    await trouble.waitFor();
    await home.start();
    await page.getByLabel('Trigger').waitFor();
    await trouble.waitFor({ state: 'detached' });
    await context.close();
  });

  // proves: page.tabs
  test('is shared by eight tabs over plain http, and each sees every change when the tab that holds it is closed, frozen or crashes', async () => {
    const window = await tabs();
    const streams = new Map<Request, Page>();
    window.on('request', (request) => {
      if (request.url().endsWith('/api/events')) streams.set(request, request.frame().page());
    });
    window.on('requestfailed', (request) => streams.delete(request));
    const forget = (page: Page): void => {
      for (const [request, owner] of streams) if (owner === page) streams.delete(request);
    };
    const address = home.hello().replace('127.0.0.1', PLAIN_HOST);
    const all = new Set<Page>();
    for (let count = 0; count < 8; count += 1) {
      const page = await window.newPage();
      all.add(page);
      page.on('close', forget);
      page.on('crash', (each) => {
        forget(each);
        // Chromium may have put several tabs into one process.
        all.delete(each);
      });
      await page.goto(address);
      await isLive(page);
      expect(await page.evaluate(() => isSecureContext)).toBe(false);
    }
    let hours = 12;
    const allSeeAnEdit = async (): Promise<void> => {
      const text = await home.read();
      await home.write(text.replace(`interval: ${hours}h`, `interval: ${hours + 1}h`));
      hours += 1;
      await Promise.all(
        [...all].map((page) => page.getByText(`Every ${hours} hours`).first().waitFor()),
      );
      await eventually(async () => streams.size === 1);
    };
    const takeHolder = (): Page => {
      const [holder] = streams.values();
      if (holder === undefined) throw new Error('No tab holds the stream.');
      all.delete(holder);
      return holder;
    };
    await allSeeAnEdit();
    await takeHolder().close();
    await allSeeAnEdit();
    const frozen = takeHolder();
    const session = await window.newCDPSession(frozen);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    await allSeeAnEdit();
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    all.add(frozen);
    await allSeeAnEdit();
    const crashed = takeHolder();
    const isCrashed = crashed.waitForEvent('crash');
    crashed.goto('chrome://crash').catch(() => {});
    await isCrashed;
    expect(all.size).toBeGreaterThan(0);
    await allSeeAnEdit();
    // Opening eight tabs takes long on a busy machine.
  }, 180_000);

  // proves: page.offline
  test('is lost at once with the network, and actions meanwhile are not sent later', async () => {
    // Chromium logs an error for each request that fails while it is offline.
    const { context: window, faults } = await unwatched();
    const page = await window.newPage();
    await page.goto(home.hello());
    await isLive(page);
    const before = (await rest.runs('by-hand')).length;
    await window.setOffline(true);
    await page.getByText('Connection lost', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run now: by-hand' }).click();
    await page.getByText(/^You are offline, so nothing was sent/).waitFor();
    await window.setOffline(false);
    await isLive(page);
    expect(await rest.runs('by-hand')).toHaveLength(before);
    await window.close();
    expect(faults.filter((fault) => !fault.includes('net::ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  test('moves from a hidden tab to the visible ones', async () => {
    const window = await tabs();
    const [hidden, seen] = [await window.newPage(), await window.newPage()];
    for (const page of [hidden, seen]) {
      await page.goto(home.hello());
      await isLive(page);
    }
    const isMoved = seen.waitForRequest((request) => request.url().endsWith('/api/events'));
    await hidden.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await isMoved;
    await isLive(seen);
  });
});

describe('addresses', () => {
  const ask = async (path: string, accept: string) => {
    const answer = await fetch(home.at(path), { headers: { accept } });
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
  ])('%s returns %s to a browser', async (path, type) => {
    expect((await ask(path, BROWSER)).type).toContain(type);
  });

  test.each(['*/*', 'text/plain'])('/ returns text to a client that accepts %s', async (accept) => {
    expect(await ask('/', accept)).toMatchObject({
      status: 200,
      type: 'text/plain; charset=utf-8',
    });
  });
});
