import { describe, expect, it } from '@jest/globals';
import { eventually, serviceFor } from './harness.ts';
import { browserForFile, isLive, violations } from './pages.ts';

const browser = browserForFile();
const FAILS = `
  fails:
    trigger: { type: schedule, interval: 12h }
    run: { prompt: "\`\`\`bash\\nexit 1\\n\`\`\`", tools: [Bash] }
    enabled: true
    policy: { pauseAfterFailures: 1 }
`;

describe('the page', () => {
  const home = serviceFor({ fires: false, triggers: FAILS });
  const paused = async () =>
    ((await (await fetch(home.at('/api/status'))).json()) as { paused: unknown }).paused;
  const isPaused = async (): Promise<boolean> => {
    const { runtime } = (await home.rest.ask('/triggers/runtime')) as {
      runtime: { name: string; paused: boolean }[];
    };
    return runtime.find(({ name }) => name === 'fails')?.paused === true;
  };

  // proves: pausing.page
  it('pauses everything with a reason after a confirmation, shows it everywhere, and resumes', async () => {
    const page = await browser.open(home.at('/'));
    await isLive(page);
    await page.getByRole('button', { name: 'Pause all' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Pause all triggers?' });
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await paused()).toBe(null);
    await page.getByRole('button', { name: 'Pause all' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The wiki moves.');
    await dialog.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('All triggers are paused.').waitFor();
    expect(await paused()).toMatchObject({ by: 'user', reason: 'The wiki moves.' });
    await page.getByText(/No problems. 1 trigger is paused/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(home.hello());
    await page.getByText(/by a user: The wiki moves\./).waitFor();
    await page.getByRole('row', { name: /fails/ }).getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('row', { name: /fails/ }).getByText('skipped while paused').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume all triggers' }).click();
    await page.getByText('All triggers are paused.').waitFor({ state: 'detached' });
    expect(await paused()).toBe(null);
  });

  // proves: pausing.page.trigger
  it('shows a trigger that is paused after failures, in its project and in the overview, and resumes it', async () => {
    const page = await browser.open(home.hello());
    await isLive(page);
    await home.rest.fire('fails');
    const row = page.getByRole('row', { name: /fails/ });
    await row.getByText(/Paused .*, after 1 failure\./).waitFor();
    await row.getByText('Paused', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(home.at('/'));
    await page
      .getByText(/^1 of \d triggers needs attention$/)
      .first()
      .waitFor();
    await page.getByText(/Paused .*, after 1 failure\./).waitFor();
    await page.goto(home.hello('/triggers/fails'));
    await page.getByText(/Paused .* are skipped until you resume or edit it/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume: fails' }).click();
    await eventually(async () => !(await isPaused()));
    await page.getByRole('button', { name: 'Resume: fails' }).waitFor({ state: 'detached' });
    expect(await home.read()).toContain('pauseAfterFailures: 1');
    await page.getByText('Limits and policy').click();
    const field = page.getByRole('textbox', { name: 'Pause after consecutive failures' });
    expect(await field.inputValue()).toBe('1');
    await field.fill('3');
    await page.getByRole('button', { name: 'Save to project.yaml' }).click();
    await eventually(async () => (await home.read()).includes('pauseAfterFailures: 3'));
  });
});
