import { expect, test } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';
import { idOf } from './rest.ts';

const { open } = browserForFile();
const home = serviceFor({
  fires: false,
  triggers: `
  hook:
    trigger: { type: event, on: onArchive }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n", tools: [Bash] }
    enabled: true
`,
});
const { rest } = home;

async function chat(name: string): Promise<string> {
  const { sessionId } = await rest.post('/chats', { name, prompt: 'Hello.' });
  const id = String(sessionId);
  await eventually(async () => (await rest.chat(id))['running'] === false);
  return id;
}

// proves: events.page
test('an event and its run appear without a reload, and the keyboard reaches both', async () => {
  const sessionId = await chat('The door');
  const page = await open(home.hello('/events?event=onArchive'));
  await isLive(page);
  await page.getByText('No events match.').waitFor();
  await rest.post(`/chats/${sessionId}/archive`);
  const row = page.getByRole('row').filter({ hasText: 'Chat “The door” was archived by a user.' });
  await row.getByText('Succeeded', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Event' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Started when chat “The door” was archived by a user.').waitFor();
  expect(await rest.run(idOf(page.url()))).toMatchObject({ cause: 'event', trigger: 'hook' });
  await page.getByRole('link', { name: '“The door”' }).click();
  await page.getByRole('heading', { name: 'The door' }).waitFor();
  expect(idOf(page.url())).toBe(sessionId);
});

test('an event that starts nothing appears without a reload and says so', async () => {
  await home.write((await home.read()).replace(/( {2}hook:[\s\S]*?enabled: )true/, '$1false'));
  await eventually(async () => (await rest.trigger('hook'))['enabled'] === (false as never));
  const sessionId = await chat('The window');
  const page = await open(home.hello('/events?event=onArchive'));
  await isLive(page);
  await rest.post(`/chats/${sessionId}/archive`);
  const row = page.getByRole('row').filter({ hasText: '“The window”' });
  await row.getByText('No runs.').waitFor();
});
