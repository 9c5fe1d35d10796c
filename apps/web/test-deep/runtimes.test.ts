import { describe, expect, test } from '@jest/globals';
import { serviceFor } from './harness.ts';
import { browserForFile, violations } from './pages.ts';

const { open } = browserForFile();
const home = serviceFor({
  fires: false,
  config:
    'agents: { sandbox: { mode: off } }\nruntime: { external: { reporter: { command: cat, protocol: text } } }\n',
  triggers: `
  looking:
    trigger: { type: schedule, cron: 0 3 * * * }
    run:
      prompt: Look around.
      tools: [Read]
  asking:
    trigger: { type: schedule, cron: 0 4 * * * }
    run:
      # without a list of tools
      prompt: Look around.
`,
});
const PHONE = { width: 390, theme: 'light' } as const;
const WRITE = 'Save to project.yaml';

// proves: page.runtime
describe('the runtime of a trigger', () => {
  test('is selected on a phone, and adds one line to the file', async () => {
    const before = await home.read();
    const page = await open(home.hello('/triggers/asking'), PHONE);
    const picker = page.getByLabel('Runtime');
    await picker.locator('option', { hasText: 'reporter, ready' }).waitFor({ state: 'attached' });
    expect((await picker.locator('option').allTextContents())[0]).toBe('default (native), ready');
    const write = page.getByRole('button', { name: WRITE });
    expect(await write.getAttribute('title')).toBe('No changes to save.');
    expect(await write.isDisabled()).toBe(true);
    const { height = 0 } = (await picker.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
    await picker.focus();
    await page.keyboard.type('reporter');
    expect(await picker.inputValue()).toBe('reporter');
    await page.getByText(/^reporter does not enforce the tool list/).waitFor();
    expect(await violations(page)).toEqual([]);
    await write.click();
    await page.getByText(/^asking is saved in project\.yaml/).waitFor();
    const after = (await home.read()).split('\n');
    const added = after.indexOf('      runtime: reporter');
    expect(after.toSpliced(added, 1).join('\n')).toBe(before);
    expect(added).toBeGreaterThan(after.indexOf('  asking:'));
  });

  test('that cannot enforce the tool list is rejected at the list, and nothing is saved', async () => {
    const before = await home.read();
    const page = await open(home.hello('/triggers/looking'));
    await page.getByLabel('Runtime').selectOption('reporter');
    const warning = page.locator('#field-runtime-said');
    await warning.getByText(/^The tool list is not enforced: reporter/).waitFor();
    await page.getByRole('button', { name: WRITE }).click();
    await page.getByText('Not saved. Check the marked fields.').waitFor();
    const said = page.locator('#field-tools-said');
    await said.getByText(/^run\.tools cannot be enforced: the reporter runtime .*native/).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await home.read()).toBe(before);
  });

  test('is listed in the settings with the limits that it enforces', async () => {
    const page = await open(home.at('/settings'), PHONE);
    const reporter = page.getByRole('listitem').filter({ hasText: /^reporter/ });
    await reporter.getByText('Provides the tools of its command.').waitFor();
    await reporter.getByText(/^Does not enforce the tool list; /).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
