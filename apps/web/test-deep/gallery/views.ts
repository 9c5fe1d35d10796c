import type { Page } from 'playwright-core';

/** A view to picture: an address of the gallery, and the steps before the picture. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** Prepares the page for the picture. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The ids in the addresses of some views. */
export interface Ids {
  readonly failedRun: string;
  readonly goodRun: string;
  readonly runningRun: string;
  readonly chat: string;
  readonly runChat: string;
}

const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

/** The views of the gallery while the service works normally. */
export function viewsOf(ids: Ids): readonly View[] {
  return [
    { name: 'overview', path: '/' },
    { name: 'overview-phone', path: '/' },
    { name: 'triggers', path: '/projects/website' },
    { name: 'triggers-phone', path: '/projects/website' },
    { name: 'triggers-docs', path: '/projects/docs' },
    { name: 'triggers-house', path: '/projects/house' },
    { name: 'editor-new', path: '/projects/website/triggers/new' },
    { name: 'editor-edit', path: '/projects/website/triggers/nightly-report' },
    { name: 'editor-zone', path: '/projects/website/triggers/backup' },
    { name: 'editor-often', path: '/projects/website/triggers/heartbeat' },
    {
      name: 'editor-rtl',
      path: `/projects/docs/triggers/${encodeURIComponent('רענון-מסמכים')}`,
    },
    { name: 'editor-invalid', path: '/projects/website/triggers/weekly-digest' },
    { name: 'runs', path: '/projects/website/runs' },
    { name: 'runs-none', path: '/projects/website/runs?trigger=never-run' },
    { name: 'events', path: '/projects/docs/events' },
    { name: 'events-none', path: '/projects/house/events' },
    { name: 'run-failed', path: `/projects/website/runs/${ids.failedRun}` },
    { name: 'run-ok', path: `/projects/website/runs/${ids.goodRun}` },
    {
      name: 'editor-allow',
      path: `/projects/website/runs/${ids.goodRun}`,
      prepare: button(/^Allow… packages/),
    },
    { name: 'run-running', path: `/projects/website/runs/${ids.runningRun}` },
    { name: 'chats', path: '/projects/website/chats' },
    { name: 'chat', path: `/projects/website/chats/${ids.chat}` },
    { name: 'chat-of-run', path: `/projects/website/chats/${ids.runChat}` },
    { name: 'settings', path: '/settings' },
    { name: 'nowhere', path: '/nowhere' },
    { name: 'no-project', path: '/projects/nothing' },
    { name: 'no-trigger', path: '/projects/website/triggers/nothing' },
    { name: 'no-run', path: '/projects/website/runs/01a2040a-be70-75ab-92eb-a91398c1229e' },
    { name: 'no-chat', path: '/projects/website/chats/nothing' },
    { name: 'new-project', path: '/', prepare: button('New project') },
    { name: 'new-chat', path: '/projects/website/chats', prepare: button('New chat') },
    { name: 'menu', path: '/projects/website', prepare: button('More actions: nightly-report') },
    {
      name: 'dialog-delete',
      path: '/projects/website',
      prepare: async (page) => {
        await button('More actions: nightly-report')(page);
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
    { name: 'menu-theme', path: '/', prepare: button(/^Theme/) },
    { name: 'panel-running', path: '/', prepare: button(/running/) },
    {
      name: 'drawer',
      path: '/projects/website',
      prepare: async (page) => {
        const ways = page.getByRole('button', { name: /^Projects/ });
        if ((await ways.count()) > 0) await ways.click();
      },
    },
  ];
}
