import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, violations } from './pages.ts';
import { idOf } from './rest.ts';

const { open } = browserForFile();
const home = serviceFor();
const { rest } = home;

const editor = (name: string): string => home.hello(`/triggers/${name}`);
const write = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Save to project.yaml' }).click();
const prompt = (page: Page) => page.getByLabel('Prompt text');

/** The lines that only one of the two texts has, by position. */
function changed(before: string, after: string): string[] {
  const old = before.split('\n');
  return after.split('\n').filter((line, at) => line !== old[at]);
}

describe('the editor', () => {
  test('creates a disabled trigger and keeps the rest of the file', async () => {
    const before = await home.read();
    const page = await open(editor('new'));
    await page.getByLabel('Name', { exact: true }).fill('made-here');
    await prompt(page).fill('Look at the files.');
    await page.getByRole('radio', { name: 'Monthly' }).check();
    await write(page);
    await page
      .getByText('made-here is saved in project.yaml. It is disabled until you enable it.')
      .waitFor();
    expect(page.url()).toBe(editor('made-here'));
    const after = await home.read();
    expect(after.startsWith(before.trimEnd())).toBe(true);
    const added = after.slice(before.trimEnd().length);
    expect(added).toMatch(/^\n+ {2}made-here:\n/);
    expect(added).toContain('    enabled: false\n');
    expect(await rest.trigger('made-here')).toMatchObject({
      trigger: { cron: '0 9 1 * *' },
      run: { prompt: 'Look at the files.', tools: ['Read', 'Glob', 'Grep'] },
      enabled: false,
    });
  });

  // proves: page.edit
  test('changes one line of the file for one changed field', async () => {
    const before = await home.read();
    const page = await open(editor('weekday-report'));
    await page.getByLabel('At', { exact: true }).fill('10:30');
    expect(await page.getByLabel('Cron expression').inputValue()).toBe('30 10 * * 1-5');
    const changes = page.getByRole('region', { name: 'Changed lines' });
    await changes.getByText('+       cron: 30 10 * * 1-5').waitFor();
    expect(await changes.locator('[data-sign="+"], [data-sign="-"]').count()).toBe(2);
    await write(page);
    await page.getByText(/^weekday-report is saved in project\.yaml/).waitFor();
    expect(changed(before, await home.read())).toEqual(['      cron: 30 10 * * 1-5']);
  });

  test('rejects the name of an existing trigger', async () => {
    const before = await home.read();
    const page = await open(editor('new'));
    await page.getByLabel('Name', { exact: true }).fill('heartbeat');
    await prompt(page).fill('Another one.');
    await write(page);
    await page.getByText('name is already used by another trigger.').waitFor();
    expect(await home.read()).toBe(before);
  });

  // proves: page.conflict
  test('shows both versions after a concurrent edit, and applies the own changes on top', async () => {
    const page = await open(editor('weekday-report'));
    await prompt(page).fill('Count again.');
    const other = await rest.trigger('weekday-report');
    const changed = { ...other, run: { ...other['run'], maxTurns: 7 } };
    await rest.put('/triggers/weekday-report', changed);
    await page
      .getByText(/^weekday-report changed in project\.yaml while you were editing/)
      .waitFor();
    const versions = page.getByRole('table');
    await versions.getByRole('cell', { name: 'Count again.' }).waitFor();
    await versions.getByRole('cell', { name: '7', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Merge my changes' }).click();
    await write(page);
    await page.getByText(/^weekday-report is saved in project\.yaml/).waitFor();
    const { run } = await rest.trigger('weekday-report');
    expect(run).toMatchObject({ prompt: 'Count again.', maxTurns: 7 });
    const file = await home.read();
    expect(file).toContain('      prompt: Count again.\n');
    expect(file).toContain('      maxTurns: 7\n');
  });

  test('shows the next five fires that the service computes', async () => {
    const page = await open(editor('new'));
    await page.getByLabel('Cron expression').fill('20 4 * * 2');
    const zone = 'America/New_York';
    await page.getByLabel('Time zone').fill(zone);
    await page.getByRole('heading', { name: `Next five runs, ${zone}` }).waitFor();
    const query = new URLSearchParams({ cron: '20 4 * * 2', timezone: zone, count: '5' });
    const answer = await fetch(home.at(`/api/preview?${query}`));
    const { upcoming } = (await answer.json()) as { upcoming: string[] };
    const times = page.getByRole('list', { name: 'Next five runs' }).locator('time');
    const shown = () =>
      times.evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
    await eventually(async () => String(await shown()) === String(upcoming));
  });

  test('saves the selected tools, and an empty list for the keeper', async () => {
    const page = await open(editor('made-here'));
    await page.getByRole('button', { name: 'Edit files' }).click();
    await page.getByRole('checkbox', { name: /^Bash/ }).check();
    await page.getByText(/^Bash (?:is not confined|runs in a sandbox)/).waitFor();
    await write(page);
    await page.getByText(/^made-here is saved in project\.yaml/).waitFor();
    const tools = ['Read', 'Glob', 'Grep', 'Edit', 'Write', 'NotebookEdit', 'Bash'];
    expect((await rest.trigger('made-here'))['run']?.['tools']).toEqual(tools);
    await page.getByRole('radio', { name: 'Keeper' }).check();
    await write(page);
    await page.getByText(/^made-here is saved in project\.yaml/).waitFor();
    expect((await rest.trigger('made-here'))['run']?.['tools']).toEqual([]);
    const entry = (await home.read()).split('  made-here:\n')[1];
    expect(entry).not.toContain('Bash');
  });

  test('saves and runs, and opens the run', async () => {
    const page = await open(editor('weekday-report'));
    await prompt(page).fill('```bash\ntrue\n```\n');
    await page.getByRole('button', { name: 'Save and run now' }).click();
    await page.waitForURL(/\/runs\/[0-9a-f-]{36}$/);
    expect((await rest.trigger('weekday-report'))['run']?.['prompt']).toBe('```bash\ntrue\n```\n');
    expect(await rest.run(idOf(page.url()))).toMatchObject({ cause: 'manual', by: 'user' });
  });

  test('asks before unsaved changes are lost: by a link, by Back and by a reload', async () => {
    const before = await home.read();
    const page = await open(home.hello());
    await page.getByRole('link', { name: 'heartbeat', exact: true }).first().click();
    await page.getByRole('radio', { name: 'Daily' }).check();
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    const stay = dialog.getByRole('button', { name: 'Stay' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await dialog.waitFor();
    expect(await stay.evaluate((button) => button === document.activeElement)).toBe(true);
    await stay.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(page.url()).toBe(editor('heartbeat'));
    await page.evaluate(() => history.back());
    await stay.click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Cron expression').inputValue()).toBe('0 9 * * *');
    const asked = page.waitForEvent('dialog');
    const reload = page.reload().catch(() => null);
    const native = await asked;
    expect(native.type()).toBe('beforeunload');
    await native.accept();
    await reload;
    await page.getByRole('radio', { name: 'Daily' }).check();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await home.read()).toBe(before);
  });

  test('replaces an invalid entry', async () => {
    const broken = '\n  broken:\n    trigger: { type: schedule, cron: "0 3 * *" }\n';
    await home.write((await home.read()) + broken);
    const page = await open(editor('broken'));
    await page.getByText('The entry in project.yaml is not valid.').waitFor();
    await prompt(page).fill('Fixed.');
    await write(page);
    await page.getByText(/^broken is saved in project\.yaml/).waitFor();
    expect(await rest.trigger('broken')).toMatchObject({ run: { prompt: 'Fixed.' } });
  });
});
