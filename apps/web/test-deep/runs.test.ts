import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive } from './pages.ts';
import { idOf } from './rest.ts';

const TRIGGERS = `
  good:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\necho all is well\\n\`\`\`\\n", tools: [Bash] }
  failing:
    trigger: { type: schedule, interval: 12h }
    run:
      prompt: "\`\`\`bash\\necho first\\n\`\`\`\\n\\n\`\`\`bash\\necho broken >&2; exit 3\\n\`\`\`\\n"
      tools: [Bash]
  forbidden:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\ntrue\\n\`\`\`\\n", tools: [Read] }
  wordless:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: Tell me what is new., tools: [Bash] }
  endless:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\necho begun; sleep 600\\n\`\`\`\\n", tools: [Bash] }
`;

const ended = async (trigger: string): Promise<string> => {
  const id = await rest.fire(trigger);
  await eventually(async () => (await rest.run(id))['state'] === 'ended');
  return id;
};
const verdict = (page: Page, word: string) =>
  page.getByRole('status').getByText(word, { exact: true });

const { open } = browserForFile();
const home = serviceFor({ fires: false, triggers: TRIGGERS });
const { rest } = home;

describe('a run', () => {
  // proves: page.first-run
  test('that is started from the first page is followed to its end', async () => {
    const page = await open(home.at());
    await page.getByRole('link', { name: 'Hello' }).first().click();
    await page.getByRole('button', { name: 'Run now: good' }).click();
    await verdict(page, 'Succeeded').waitFor();
    const run = await rest.run(idOf(page.url()));
    expect(run).toMatchObject({ outcome: 'succeeded', cause: 'manual', by: 'user' });
    expect(await page.title()).toBe('good, Hello, svc');
  });

  test('that failed shows the same reason as its row, and the failing step is open', async () => {
    const id = await ended('failing');
    const page = await open(home.hello(`/runs/${id}`));
    await verdict(page, 'Failed').waitFor();
    const { reason, outcome } = await rest.run(id);
    expect(outcome).toBe('failed');
    await page.getByRole('status').getByText(String(reason), { exact: true }).waitFor();
    const steps = page.getByRole('region', { name: 'Steps' }).locator('details');
    const failing = steps.filter({ hasText: 'exit 3' });
    await failing.last().getByText('broken').last().waitFor();
    const isOpen = await steps.evaluateAll((each) =>
      each.map((step) => [
        step.querySelector('strong')?.textContent ?? '',
        step.hasAttribute('open'),
      ]),
    );
    expect(isOpen.filter(([name]) => name === 'Bash')).toEqual([
      ['Bash', false],
      ['Bash', true],
    ]);
  });

  test('that asks for a tool that is not granted is denied, and names the tool', async () => {
    const id = await ended('forbidden');
    const page = await open(home.hello(`/runs/${id}`));
    await verdict(page, 'Denied').waitFor();
    const run = await rest.run(id);
    expect(run).toMatchObject({ outcome: 'denied', denied: [{ tool: 'Bash' }] });
    const [refused] = run['denied'] as { reason: string }[];
    await page.getByText(`Bash: ${refused?.reason}`).waitFor();
  });

  test('that is running is cancelled from its view', async () => {
    const id = await rest.fire('endless');
    const page = await open(home.hello(`/runs/${id}`));
    await verdict(page, 'Running').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await verdict(page, 'Cancelled').waitFor();
    expect(await rest.run(id)).toMatchObject({ state: 'ended', outcome: 'cancelled' });
    await page.getByRole('button', { name: 'Run again: endless' }).waitFor();
  });

  test('can be run again as a new run', async () => {
    const first = await ended('good');
    const page = await open(home.hello(`/runs/${first}`));
    await page.getByRole('button', { name: 'Run again: good' }).click();
    await page.waitForURL((url) => idOf(url.href) !== first);
    await verdict(page, 'Succeeded').waitFor();
    expect(await rest.run(idOf(page.url()))).toMatchObject({ trigger: 'good', by: 'user' });
  });
});

describe('the list of runs', () => {
  test('keeps its filters in the address, and clears them', async () => {
    await ended('failing');
    await ended('good');
    const page = await open(home.hello('/runs?outcome=failed,timed_out'));
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('rowheader');
    await rows.first().waitFor();
    expect(new Set(await rows.allTextContents())).toEqual(new Set(['failing']));

    await page.getByLabel('Trigger').selectOption('good');
    await page.getByText('No runs match.').waitFor();
    expect(new URL(page.url()).searchParams.get('trigger')).toBe('good');
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.search === '');
    await rows.getByText('failing').first().waitFor();

    await page.getByRole('button', { name: /^Outcome/ }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Skipped' }).click();
    await page.waitForURL((url) => /skipped_overlap.*skipped_paused/.test(url.search));
  });

  test('shows a run that starts meanwhile', async () => {
    const page = await open(home.hello('/runs?trigger=endless&from=2020-01-01'));
    await isLive(page);
    const id = await rest.fire('endless');
    await page.getByRole('link', { name: /^endless, Running/ }).waitFor();
    await rest.post(`/runs/${id}/cancel`);
    await page.getByRole('link', { name: /^endless, Running/ }).waitFor({ state: 'detached' });
  });
});

test('fits the longest outcome word into its cell', async () => {
  await ended('wordless');
  const page = await open(home.hello('/runs'));
  const word = page.getByRole('cell').getByText('No model', { exact: true }).first();
  const past = await word.evaluate((badge) => {
    const cell = badge.closest('td') as HTMLElement;
    return badge.getBoundingClientRect().right - cell.getBoundingClientRect().right;
  });
  expect(past).toBeLessThanOrEqual(0);
});
