import { describe, expect, it } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';

const browser = browserForFile();
const STEADY = `
  steady:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "Look.", tools: [Read] }
    enabled: true
`;
const STEP = '```bash\ntrue\n```\n';

describe('the page', () => {
  const home = serviceFor({ fires: false, triggers: STEADY });

  // proves: page.broken-file
  it('shows the last good triggers of a broken file, runs them, and saves nothing', async () => {
    const page = await browser.open(home.hello());
    await isLive(page);
    const before = await home.read();
    const broken = `${before}\n  - : [`;
    await home.write(broken);
    await page.getByText(/^project\.yaml cannot be read: line \d+, column \d+\.$/).waitFor();
    await page
      .getByText('The last valid triggers stay armed. Nothing can be saved until it is fixed.')
      .waitFor();
    const toggle = page.getByRole('switch', { name: 'Enabled: weekday-report' });
    expect(await toggle.isDisabled()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'weekday-report', exact: true }).click();
    const write = page.getByRole('button', { name: 'Save to project.yaml' });
    expect(await write.isDisabled()).toBe(true);
    await page.goBack();
    await page.getByRole('button', { name: 'Run now: weekday-report' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    const runId = page.url().split('/').at(-1) ?? '';
    expect(await home.rest.run(runId)).toMatchObject({ trigger: 'weekday-report', by: 'user' });
    expect(await home.read()).toBe(broken);
    await home.write(before);
  });

  // proves: page.nowhere
  it('redirects the longer address of the triggers, and reports missing addresses', async () => {
    const page = await browser.open(home.hello('/triggers'));
    await page.waitForURL(home.hello());
    await page.getByRole('switch', { name: 'Enabled: heartbeat' }).waitFor();
    for (const path of ['', '/runs', '/chats', '/triggers/new']) {
      await page.goto(home.at(`/projects/nope${path}`));
      await page.getByRole('heading', { name: 'Project not found', level: 1 }).waitFor();
      expect(await page.locator('main').getByRole('link').allTextContents()).toEqual([
        'Go to the overview',
      ]);
    }
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  });

  // proves: page.draft
  it('keeps unsent chat text over a reload, until it is sent', async () => {
    const id = String((await home.rest.post('/chats', { prompt: STEP }))['sessionId']);
    await eventually(async () => (await home.rest.chat(id))['running'] === false);
    const page = await browser.open(home.hello(`/chats/${id}`));
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill(`Typed before.\n\n${STEP}`);
    await page.reload();
    expect(await box.inputValue()).toBe(`Typed before.\n\n${STEP}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('log').getByText('Typed before.', { exact: true }).waitFor();
    await page.reload();
    expect(await box.inputValue()).toBe('');
  });

  // proves: page.cancel
  it('cancels the turn of a user, in its chat and in the header', async () => {
    const { rest } = home;
    const begin = async (): Promise<string> => {
      const prompt = '```bash\nsleep 600\n```\n';
      const id = String((await rest.post('/chats', { prompt, name: 'Endless' }))['sessionId']);
      await eventually(async () => (await rest.chat(id))['running'] === true);
      return id;
    };
    const isOver = (id: string) => async () => (await rest.chat(id))['running'] === false;
    const first = await begin();
    const page = await browser.open(home.hello(`/chats/${first}`));
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await eventually(isOver(first));
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    const second = await begin();
    await page.getByRole('button', { name: '1 running' }).click();
    await page.getByRole('button', { name: 'Cancel: Endless' }).click();
    await eventually(isOver(second));
  });

  // proves: page.prompt-file
  it('saves the selected prompt file, and shows its content', async () => {
    const page = await browser.open(home.hello('/triggers/weekday-report'));
    await page.getByRole('radio', { name: 'File' }).check();
    await page.getByRole('combobox', { name: 'Prompt file' }).selectOption('heartbeat.md');
    const shown = page.getByRole('region', { name: 'Contents of heartbeat.md' });
    await shown.getByText('heartbeat.log').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save to project.yaml' }).click();
    await page.getByText(/^weekday-report is saved in project\.yaml/).waitFor();
    expect((await home.read()).split('promptFile: heartbeat.md')).toHaveLength(3);
  });

  // proves: page.armed-interval
  it('shows the fires of an armed interval as the service will fire it', async () => {
    const { triggers } = (await home.rest.ask('/triggers')) as unknown as {
      triggers: { name: string; upcoming: string[] }[];
    };
    const armed = triggers.find(({ name }) => name === 'steady')?.upcoming;
    const page = await browser.open(home.hello('/triggers/steady'));
    const fires = page.getByRole('list', { name: 'Next five runs' });
    await fires.waitFor();
    const shown = await fires
      .locator('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
    expect([shown.length, shown]).toEqual([5, armed]);
  });
});

describe('for a reader', () => {
  const home = serviceFor({
    fires: false,
    config: [
      'auth:',
      '  mode: trusted-header',
      '  header: X-Forwarded-User',
      '  rolesHeader: X-Forwarded-Groups',
      '  trustedProxies: [loopback]',
      '  roles: { read: [viewers], write: [operators] }',
      '',
    ].join('\n'),
  });
  const reader = { 'X-Forwarded-User': 'ada', 'X-Forwarded-Groups': 'viewers' };
  const MAY_NOT = 'You have read-only access: your role is read.';

  // proves: page.reader
  it('all controls of the editor and of chats are disabled, and each view says why', async () => {
    const page = await browser.open(home.hello('/triggers/weekday-report'), undefined, reader);
    await page.locator('main').getByText(MAY_NOT).waitFor();
    for (const name of [
      ...['Enable', 'Run now: weekday-report', 'Save to project.yaml', 'Save and run now'],
    ]) {
      const control = page.getByRole('button', { name });
      expect([await control.isDisabled(), await control.getAttribute('title')]).toEqual([
        ...[true, MAY_NOT],
      ]);
    }
    expect(await violations(page)).toEqual([]);
    await page.goto(home.hello('/chats'));
    expect(await page.getByRole('button', { name: 'New chat' }).isDisabled()).toBe(true);
    await page.goto(home.at('/'));
    expect(await page.getByRole('button', { name: 'New project' }).isDisabled()).toBe(true);
  });

  // proves: page.unknown
  it('all controls are disabled until the user is known, and nothing moves then', async () => {
    const page = await browser.open('about:blank', undefined, reader);
    let tell = (): void => {};
    const held = new Promise<void>((resolve) => {
      tell = resolve;
    });
    await page.route('**/api/session', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(home.hello());
    const controls = [
      page.getByRole('button', { name: 'New trigger' }),
      page.getByRole('button', { name: 'Run now: heartbeat' }),
      page.getByRole('switch', { name: 'Enabled: heartbeat' }),
    ];
    const boxes = () => Promise.all(controls.map((control) => control.boundingBox()));
    for (const control of controls) expect(await control.isDisabled()).toBe(true);
    const before = await boxes();
    tell();
    await page.getByText('Read-only', { exact: true }).waitFor();
    for (const control of controls) expect(await control.getAttribute('title')).toBe(MAY_NOT);
    expect(await boxes()).toEqual(before);
  });
});

describe('with an access token', () => {
  const TOKEN = 'a token that is hard to guess';
  const home = serviceFor({
    fires: false,
    config: 'auth: { mode: token, tokenRef: "env:SVC_ACCESS_TOKEN" }\n',
    env: { SVC_ACCESS_TOKEN: TOKEN },
  });

  // proves: page.draft
  it('unsent chat text outlives the session, and is sent after the next sign-in', async () => {
    const page = await browser.open(home.hello('/chats'));
    const enter = async (): Promise<void> => {
      await page.getByLabel('Access token').fill(TOKEN);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await enter();
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByRole('dialog').getByLabel('Prompt').fill(STEP);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill(`Said late.\n\n${STEP}`);
    // Another tab signs out.
    await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.reload();
    await enter();
    expect(await box.inputValue()).toBe(`Said late.\n\n${STEP}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('log').getByText('Said late.', { exact: true }).waitFor();
    expect(await box.inputValue()).toBe('');
  });
});
