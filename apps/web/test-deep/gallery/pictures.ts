import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { eventually, type Service, startBrowser, startService } from '../harness.ts';
import { PROJECTS, REPORT_CHAT, RUN_ONCE, writeProjects } from './home.ts';
import { lifeOf } from './life.ts';
import { inEveryLook } from './take.ts';
import { type Ids, type View, viewsOf } from './views.ts';

const CONFIG = 'limits: { concurrentTurns: 4 }\n';

/** Makes the home of the gallery, lets its triggers run, and takes a picture of every view in every look. */
export async function takePictures(folder: string, only?: string): Promise<void> {
  const browser = await startBrowser();
  const wanted = (name: string): boolean => only === undefined || new RegExp(only).test(name);
  const home = await mkdtemp(join(tmpdir(), 'svc-gallery-'));
  await writeProjects(home, PROJECTS);
  let service = await startService({ home, config: CONFIG });
  try {
    const ids = await happen(service);
    await service.stop();
    await without(browser, folder, wanted);
    service = await startService({ home });
    await missed(service);
    const running = { ...ids, runningRun: await lifeOf(service).fire('website', 'index-search') };
    for (const view of viewsOf(running).filter(({ name }) => wanted(name))) {
      await inEveryLook(browser, service.url, folder, view);
    }
    if (wanted('editor-412')) await inEveryLook(browser, service.url, folder, conflict(home));
    if (wanted('broken-file')) await brokenFile(browser, service, folder);
    if (wanted('lost')) await inEveryLook(browser, service.url, folder, LOST);
  } finally {
    await service.stop();
    await service.remove();
    await browser.close();
  }
}

async function happen(service: Service): Promise<Ids> {
  const life = lifeOf(service);
  for (const [slug, names] of Object.entries(RUN_ONCE)) await life.runThrough(slug, names);
  const chat = await life.chat('website', 'Links of the website', REPORT_CHAT);
  await eventually(async () => (await life.runs('docs', 'spell-check')).length > 0, 30_000);
  const [failed] = await life.runs('website', 'nightly-report');
  const [good] = await life.runs('website', 'backup');
  return {
    failedRun: String(failed?.['id']),
    goodRun: String(good?.['id']),
    runningRun: '',
    chat,
    runChat: String(good?.['sessionId']),
  };
}

/** Waits until the slots of the time without a service are told, then lets that trigger be. */
async function missed(service: Service): Promise<void> {
  const life = lifeOf(service);
  const isMissed = async (): Promise<boolean> =>
    (await life.runs('docs', 'spell-check'))[0]?.['outcome'] === 'missed';
  await eventually(isMissed, 30_000);
  await edit(service.home, 'docs', 'interval: 20s', 'interval: 8h');
}

const fileOf = (home: string, slug: string): string => join(home, 'projects', slug, 'project.yaml');

async function edit(home: string, slug: string, from: string, to: string): Promise<void> {
  const text = await readFile(fileOf(home, slug), 'utf8');
  await writeFile(fileOf(home, slug), text.replace(from, to));
}

/** What there is to see where there is little: no project, no trigger, nobody signed in. */
async function without(
  browser: Browser,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<void> {
  if (wanted('empty')) {
    const home = await mkdtemp(join(tmpdir(), 'svc-empty-'));
    await writeProjects(home, {});
    const service = await startService({ home, config: CONFIG });
    await inEveryLook(browser, service.url, folder, { name: 'empty-home', path: '/' });
    await writeProjects(home, { fresh: 'name: Fresh\nstatus: active\n' });
    for (const tab of ['', '/runs', '/chats']) {
      const path = `/projects/fresh${tab}`;
      const name = `empty-project${tab.replace('/', '-')}`;
      await inEveryLook(browser, service.url, folder, { name, path });
    }
    await service.stop();
    await service.remove();
  }
  if (wanted('sign-in')) {
    const service = await startService({
      config: 'auth: { mode: token, tokenRef: "env:SVC_ACCESS_TOKEN" }\n',
      env: { SVC_ACCESS_TOKEN: 'a token of the gallery that nobody needs' },
    });
    await inEveryLook(browser, service.url, folder, { name: 'sign-in', path: '/' });
    await service.stop();
    await service.remove();
  }
}

function conflict(home: string): View {
  let round = 0;
  return {
    name: 'editor-412',
    path: '/projects/website/triggers/rotate-logs',
    prepare: async (page: Page) => {
      round += 1;
      await page.getByLabel('Prompt', { exact: true }).last().fill('Rotate them all.');
      const text = await readFile(fileOf(home, 'website'), 'utf8');
      const changed = text.replace(/("rotate-logs":\n.*cron: ")\d+ \d+/, `$1${round} 3`);
      await writeFile(fileOf(home, 'website'), changed);
      await page.getByText(/Somebody else changed/).waitFor();
    },
  };
}

async function brokenFile(browser: Browser, service: Service, folder: string): Promise<void> {
  const text = await readFile(fileOf(service.home, 'house'), 'utf8');
  await writeFile(fileOf(service.home, 'house'), `${text}\n  - : [`);
  const path = '/projects/house';
  const prepare = (page: Page) =>
    page
      .getByText(/cannot be read/)
      .first()
      .waitFor();
  await inEveryLook(browser, service.url, folder, { name: 'broken-file', path, prepare });
  await inEveryLook(browser, service.url, folder, { name: 'broken-overview', path: '/' });
  await writeFile(fileOf(service.home, 'house'), text);
}

/** The last thing that is looked at before the connection goes. */
const LOST: View = {
  name: 'lost',
  path: '/',
  prepare: async (page) => {
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page
      .getByText(/^Connection lost .* ago/)
      .first()
      .waitFor();
  },
};
