import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';
import { idOf } from './rest.ts';

const TRIGGERS = `
  talker:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\necho done\\n\`\`\`\\n", tools: [Read, Bash] }
  endless:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nsleep 600\\n\`\`\`\\n", tools: [Bash] }
`;
const STEP = '```bash\ntrue\n```\n';
const HOSTILE = `# A report

[click](javascript:globalThis.pwned=1) and [data](data:text/html,<script>pwned=1</script>)
and [bank](https://bank.example@evil.example/) and [fine](https://example.org/a?b)

![pixel](https://evil.example/pixel.png) ![inline](data:image/svg+xml,x)

<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>

<iframe src="https://evil.example/"></iframe>

\u001b[31mred\u001b[0m and \u202eevil\u202c
`;

/** Starts a chat with a prompt, waits for its end and returns its id. */
async function chatOf(prompt: string): Promise<string> {
  const id = String((await rest.post('/chats', { prompt }))['sessionId']);
  await eventually(async () => (await rest.chat(id))['running'] === false);
  return id;
}

const { open, tabs } = browserForFile();
const home = serviceFor({ fires: false, triggers: TRIGGERS });
const { rest } = home;

describe('a chat', () => {
  test('starts, shows its permissions, and can be archived and restored', async () => {
    const page = await open(home.hello('/chats'));
    await isLive(page);
    await page.getByRole('button', { name: 'New chat' }).click();
    const dialog = page.getByRole('dialog', { name: 'New chat' });
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Looking about');
    await dialog.getByLabel('Prompt').fill(STEP);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
    const id = idOf(page.url());
    await page.getByRole('heading', { name: 'Looking about' }).waitFor();
    await eventually(async () => (await rest.chat(id))['running'] === false);
    expect(await rest.chat(id)).toMatchObject({ name: 'Looking about', by: 'user' });
    await page.getByText(/^Can use all keeper tools: /).waitFor();

    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('This chat is archived. Unarchive it to continue.').waitFor();
    expect(await rest.chat(id)).toMatchObject({ archived: true, archivedBy: 'user' });
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await rest.chat(id)).toMatchObject({ archived: false });
  });

  test('shows each message as it arrives, before the turn ends', async () => {
    const id = await chatOf(STEP);
    const page = await open(home.hello(`/chats/${id}`));
    await isLive(page);
    const log = page.getByRole('log');
    const wait =
      '```bash\necho one\n```\n\n```bash\nuntil [ -f go ]; do sleep 0.05; done; echo two\n```\n';
    await page.getByRole('textbox', { name: 'Message' }).fill(wait);
    await page.getByRole('button', { name: 'Send' }).click();
    await log.locator('pre').getByText('one', { exact: true }).waitFor();
    await log.getByText('Running.').waitFor();
    expect(await rest.chat(id)).toMatchObject({ running: true });
    await writeFile(join(home.folder(), 'projects/hello/go'), '');
    await log.locator('pre').getByText('two', { exact: true }).waitFor();
    await eventually(async () => (await rest.chat(id))['running'] === false);
    await page.getByRole('button', { name: 'Fork' }).click();
    await page.waitForURL((url) => idOf(url.href) !== id);
    expect(await rest.chat(idOf(page.url()))).toMatchObject({ forkedFrom: id });
  });

  test('of a trigger links each message to its run, and can cancel the run', async () => {
    const run = await rest.fire('endless');
    const id = String((await rest.run(run))['sessionId']);
    const page = await open(home.hello(`/chats/${id}`));
    await page.getByText('Messages here use the permissions of this trigger: Bash.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => (await rest.run(run))['outcome'] === 'cancelled');
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  });

  test('scrolls to new messages only while the end is visible', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `Line ${at}.\n\n${STEP}`).join('\n');
    const id = await chatOf(many);
    const page = await open(home.hello(`/chats/${id}`));
    await isLive(page);
    const log = page.getByRole('log');
    const gap = () =>
      log.evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
    await eventually(async () => (await gap()) < 2);
    await rest.post(`/chats/${id}/messages`, { prompt: `Spoken.\n\n${STEP}` });
    await log.getByText('Spoken.', { exact: true }).waitFor();
    await eventually(async () => (await gap()) < 2);

    await log.evaluate((box) => box.scrollTo(0, 200));
    await rest.post(`/chats/${id}/messages`, { prompt: `Again.\n\n${STEP}` });
    await log.getByText('Again.', { exact: true }).waitFor({ state: 'attached' });
    expect(await log.evaluate((box) => Math.round(box.scrollTop))).toBe(200);
  });

  test.each([
    ['', false],
    [', whatever is drawn late', true],
  ])('loads older messages on request and keeps the scroll position%s', async (_, isLate) => {
    const turn = (name: string): string =>
      Array.from({ length: 30 }, (_, at) => `${name} ${at}.\n\n${STEP}`).join('\n');
    const id = await chatOf(turn('First'));
    for (const name of ['Second', 'Third']) {
      await rest.post(`/chats/${id}/messages`, { prompt: turn(name) });
      await eventually(async () => (await rest.chat(id))['running'] === false);
    }
    const page = await (await tabs()).newPage();
    let draw = (): void => {};
    const drawing = new Promise<void>((resolve) => {
      draw = resolve;
    });
    if (!isLate) draw();
    await page.route('**/Markdown-*.js', async (route) => {
      await drawing;
      await route.continue();
    });
    await page.goto(home.hello(`/chats/${id}`));
    const log = page.getByRole('log');
    await log.getByText('Third 29.', { exact: true }).waitFor();
    expect(await log.getByText('First 0.', { exact: true }).count()).toBe(0);
    await log.evaluate((box) => box.scrollTo(0, 0));
    const kept = log.getByText('First 28.', { exact: true });
    const before = (await kept.boundingBox())?.y;
    await log.getByRole('button', { name: 'Load older messages' }).click();
    await log.getByText('First 0.', { exact: true }).waitFor({ state: 'attached' });
    draw();
    await log.locator('p:not([class])', { hasText: 'First 0.' }).waitFor({ state: 'attached' });
    expect(Math.abs(((await kept.boundingBox())?.y ?? 0) - (before ?? 0))).toBeLessThan(60);
  });

  // proves: page.inert
  test('with hostile Markdown runs nothing', async () => {
    const id = await chatOf(`${HOSTILE}\n${STEP}`);
    const { messages } = (await rest.chat(id)) as { messages: { role: string; text: string }[] };
    const said = messages.filter(({ role, text }) => role === 'assistant' && text !== '');
    expect(said.map(({ text }) => text).join()).toContain('javascript:globalThis.pwned=1');

    const page = await open('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    await page.goto(home.hello(`/chats/${id}`));
    const log = page.getByRole('log');
    await log.getByRole('link', { name: 'fine' }).waitFor();
    const found = await log.evaluate((box) => ({
      links: [...box.querySelectorAll('a')].map(({ href, rel }) => [href, rel]),
      loaded: box.querySelectorAll('img, script, iframe, object, embed, svg:not(.lucide)').length,
      text: box.textContent ?? '',
    }));
    const rel = 'noopener noreferrer';
    expect(found.links).toEqual([
      ['https://example.org/a?b', rel],
      ['https://evil.example/pixel.png', rel],
    ]);
    expect(found.loaded).toBe(0);
    expect(found.text).toContain('[U+202E]evil[U+202C]');
    expect([...found.text].filter((sign) => '\u001b\u202e\u202c'.includes(sign))).toEqual([]);
    expect(await page.evaluate(() => 'pwned' in globalThis)).toBe(false);
    expect(new Set(asked)).toEqual(new Set([new URL(home.at()).origin]));
  });
});
