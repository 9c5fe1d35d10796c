import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { faultsAt } from './faults.ts';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, violations } from './pages.ts';

const TRIGGERS = `
  # Fetches packages.
  fetching:
    trigger: { type: schedule, interval: 12h }
    run:
      prompt: "\`\`\`bash\\ncurl -sS -m 9 https://packages.example.com || true\\n\`\`\`\\n"
      tools: [Bash]
      network:
        - api.github.com # the issues
        - "*.example.org:443"
      maxTurns: 7 # after the list
    enabled: false
  # Has no list.
  inheriting:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: Look around., tools: [Read] } # in one line
    enabled: false
`;
const TARGET = 'packages.example.com:443';
const WIDTHS = [390, 1024, 1280, 1920];

const { open } = browserForFile();
const home = serviceFor({ fires: false, triggers: TRIGGERS });
const { rest } = home;

const editor = (name: string): string => home.hello(`/triggers/${name}`);
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save to project.yaml' });
const hosts = (page: Page) => page.getByLabel('Listed hosts');
const choice = (page: Page, name: string) =>
  page
    .getByRole('group', { name: 'Hosts it may connect to' })
    .getByRole('radio', { name, exact: true });
const changes = (page: Page) => page.getByRole('region', { name: 'Changed lines' });

async function save(page: Page, name: string): Promise<void> {
  await saveButton(page).click();
  await page.getByText(new RegExp(`^${name} is saved in project\\.yaml`)).waitFor();
}

async function hasNoChanges(page: Page): Promise<void> {
  await page.getByText('No changes yet.').waitFor();
  expect(await saveButton(page).getAttribute('title')).toBe('No changes to save.');
}

/** The layout faults of a page at each width, and its accessibility violations. */
async function faultsOf(page: Page): Promise<string[]> {
  const found = await violations(page);
  for (const width of WIDTHS) {
    const measure = { least: width < 900 ? 44 : 36, links: 'a' };
    found.push(...(await faultsAt(page, width, measure)).map((text) => `${width}: ${text}`));
  }
  return found;
}

describe('the hosts of a trigger', () => {
  test('that were refused are allowed from the run, and only that line is added to the file', async () => {
    const before = await home.read();
    const id = await rest.fire('fetching');
    await eventually(async () => (await rest.run(id))['state'] === 'ended');
    const page = await open(home.hello(`/runs/${id}`));
    const network = page.getByRole('region', { name: 'Network' });
    await network.getByText(TARGET, { exact: true }).waitFor();
    await page.getByText('Sandboxed', { exact: true }).waitFor();
    const allow = network.getByRole('button', { name: `Allow… ${TARGET}` });
    await allow.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await allow.click();
    await page.getByText(/^packages\.example\.com:443 is added to the hosts below/).waitFor();
    expect(await hosts(page).inputValue()).toBe(`api.github.com\n*.example.org:443\n${TARGET}`);
    await changes(page).getByText(`+         - "${TARGET}"`).waitFor();
    expect(await changes(page).locator('[data-sign="+"], [data-sign="-"]').count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    expect(await home.read()).toBe(before);
    await save(page, 'fetching');
    const line = '        - "*.example.org:443"\n';
    expect(await home.read()).toBe(before.replace(line, `${line}        - "${TARGET}"\n`));
    await page.goBack();
    await network.getByText(TARGET, { exact: true }).waitFor();
    await page.getByText(/Add packages\.example\.com:443 to run\.network/).waitFor();
    await allow.waitFor({ state: 'detached' });
  });

  test('are those of the project, none or a list, and saving one changes nothing else', async () => {
    const before = await home.read();
    const page = await open(editor('inheriting'));
    await hasNoChanges(page);
    expect(await choice(page, 'As the project').isChecked()).toBe(true);
    await choice(page, 'None').check();
    await page.getByText('Cannot connect to any host.', { exact: true }).waitFor();
    await save(page, 'inheriting');
    const line = 'run: { prompt: Look around., tools: [Read] }';
    const none = before.replace(line, line.replace(' }', ', network: [] }'));
    expect(await home.read()).toBe(none);
    await page.reload();
    await hasNoChanges(page);
    expect(await choice(page, 'None').isChecked()).toBe(true);
    await choice(page, 'Only these').check();
    await hosts(page).fill('api.github.com, *.example.org:443');
    await save(page, 'inheriting');
    expect((await rest.trigger('inheriting'))['run']?.['network']).toEqual([
      'api.github.com',
      '*.example.org:443',
    ]);
    await page.reload();
    await hasNoChanges(page);
    expect(await hosts(page).inputValue()).toBe('api.github.com\n*.example.org:443');
    await choice(page, 'As the project').check();
    await save(page, 'inheriting');
    expect(await home.read()).toBe(before);
  });

  test('that are wrong are refused at the list', async () => {
    const before = await home.read();
    const page = await open(editor('inheriting'));
    await choice(page, 'Only these').check();
    await hosts(page).fill('api.github.com\nhttps://example.org');
    await page.getByText(/^run\.network\[1\] must not contain a scheme/).waitFor();
    expect(await hosts(page).getAttribute('aria-invalid')).toBe('true');
    await saveButton(page).click();
    await page.getByText('Not saved. Check the marked fields.').waitFor();
    expect(await hosts(page).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await faultsOf(page)).toEqual([]);
    await hosts(page).fill('10.0.0.7:22');
    await page
      .getByText(/^run\.network\[0\] .*allows more than agents\.sandbox\.network/)
      .waitFor();
    expect(await home.read()).toBe(before);
  });
});
