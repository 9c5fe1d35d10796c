import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Look, startBrowser } from '../browser.ts';
import { eventually, type Service, startService } from '../service.ts';
import { CHATS_ARCHIVED, PROJECTS, REPORT_CHAT, RUN_ONCE, writeProjects } from './home.ts';
import { lifeOf } from './life.ts';
import { type Album, smallAlbum, take, wholeAlbum } from './take.ts';
import { type Ids, type View, viewsOf } from './views.ts';

const CONFIG = 'limits: { concurrentTurns: 4 }\n';

/** The pictures of the READMEs, each in one look. */
const SHOWN: Readonly<Record<string, Look>> = {
  overview: { width: 1440, theme: 'light' },
  'overview-phone': { width: 390, theme: 'dark' },
  triggers: { width: 1440, theme: 'light' },
  'triggers-phone': { width: 390, theme: 'light' },
  'editor-edit': { width: 1440, theme: 'light' },
  'run-failed': { width: 1440, theme: 'dark' },
  runs: { width: 1440, theme: 'light' },
  chat: { width: 1440, theme: 'light' },
};

/** Renews the pictures of the READMEs in a folder. */
export function takeShownPictures(folder: string): Promise<void> {
  return takeAlbum(smallAlbum(folder, SHOWN));
}

/**
 * Takes every view whose name matches a pattern (default: all) in every look, and writes the pictures to a folder.
 */
export function takeAllPictures(folder: string, pattern?: string): Promise<void> {
  return takeAlbum(wholeAlbum(folder, pattern));
}

/** Creates the home of the gallery, runs its triggers, and takes the pictures of an album. */
async function takeAlbum(album: Album): Promise<void> {
  const browser = await startBrowser();
  const home = await mkdtemp(join(tmpdir(), 'svc-gallery-'));
  await writeProjects(home, PROJECTS);
  let service = await startService({ home, config: CONFIG });
  try {
    const ids = await happen(service);
    const missedAt = await nextSlot(service);
    await service.stop();
    await emptyHome(browser, album);
    await signIn(browser, album);
    await eventually(async () => Date.now() > missedAt, 30_000);
    service = await startService({ home });
    await missed(service);
    const runningRun = await lifeOf(service).fire('website', 'index-search');
    for (const view of [...viewsOf({ ...ids, runningRun }), conflict(home)]) {
      await take(browser, service.url, album, view);
    }
    await brokenFile(browser, service, album);
    await lost(browser, service, album);
  } finally {
    await service.stop();
    await service.remove();
    await browser.close();
  }
}

/** Causes everything that the pictures show, and returns the ids that the addresses need. */
async function happen(service: Service): Promise<Ids> {
  const life = lifeOf(service);
  for (const [slug, names] of Object.entries(RUN_ONCE)) await life.runThrough(slug, names);
  const chat = await life.chat('website', 'Links of the website', REPORT_CHAT);
  for (const name of CHATS_ARCHIVED) {
    await life.archive('docs', await life.chat('docs', name, REPORT_CHAT));
  }
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

/** One second after the slot of the trigger that is to miss it, in milliseconds of Unix time. */
async function nextSlot(service: Service): Promise<number> {
  const [run] = await lifeOf(service).runs('docs', 'spell-check');
  return Date.parse(String(run?.['scheduledFor'])) + 11_000;
}

/** Waits until the missed slots are recorded, and disables that trigger. */
async function missed(service: Service): Promise<void> {
  const life = lifeOf(service);
  const isMissed = async (): Promise<boolean> =>
    (await life.runs('docs', 'spell-check'))[0]?.['outcome'] === 'missed';
  await eventually(isMissed, 30_000);
  await edit(service.home, 'docs', 'interval: 10s', 'interval: 8h');
}

const fileOf = (home: string, slug: string): string => join(home, 'projects', slug, 'project.yaml');

async function edit(home: string, slug: string, from: string, to: string): Promise<void> {
  const text = await readFile(fileOf(home, slug), 'utf8');
  await writeFile(fileOf(home, slug), text.replace(from, to));
}

/** The views of a home without projects and of a project without triggers. */
async function emptyHome(browser: Browser, album: Album): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'svc-empty-'));
  await writeProjects(home, {});
  const service = await startService({ home, config: CONFIG });
  try {
    await take(browser, service.url, album, { name: 'empty-home', path: '/' });
    await writeProjects(home, { fresh: 'name: Fresh\nstatus: active\n' });
    for (const tab of ['', '/runs', '/chats']) {
      const name = `empty-project${tab.replace('/', '-')}`;
      await take(browser, service.url, album, { name, path: `/projects/fresh${tab}` });
    }
  } finally {
    await service.stop();
    await service.remove();
  }
}

async function signIn(browser: Browser, album: Album): Promise<void> {
  const service = await startService({
    config: 'auth: { mode: token, tokenRef: "env:SVC_ACCESS_TOKEN" }\n',
    env: { SVC_ACCESS_TOKEN: 'an unused token of the gallery' },
  });
  try {
    await take(browser, service.url, album, { name: 'sign-in', path: '/' });
  } finally {
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
      await page.getByLabel('Prompt text').fill('Rotate them all.');
      const text = await readFile(fileOf(home, 'website'), 'utf8');
      const changed = text.replace(/("rotate-logs":\n.*cron: ")\d+ \d+/, `$1${round} 3`);
      await writeFile(fileOf(home, 'website'), changed);
      await page.getByText(/changed in project\.yaml while you/).waitFor();
    },
  };
}

async function brokenFile(browser: Browser, service: Service, album: Album): Promise<void> {
  const text = await readFile(fileOf(service.home, 'house'), 'utf8');
  await writeFile(fileOf(service.home, 'house'), `${text}\n  - : [`);
  const path = '/projects/house';
  const prepare = (page: Page) =>
    page
      .getByText(/cannot be read/)
      .first()
      .waitFor();
  await take(browser, service.url, album, { name: 'broken-file', path, prepare });
  await take(browser, service.url, album, { name: 'broken-overview', path: '/' });
  await writeFile(fileOf(service.home, 'house'), text);
}

/** Stopping the service ends the connection, so each look gets its own service. */
async function lost(browser: Browser, { home }: Service, album: Album): Promise<void> {
  for (const look of album.looksOf('lost')) {
    const copy = await mkdtemp(join(tmpdir(), 'svc-lost-'));
    await cp(join(home, 'projects'), join(copy, 'projects'), { recursive: true });
    const service = await startService({ home: copy, config: CONFIG });
    const prepare = async (page: Page): Promise<void> => {
      await page.getByText('Live', { exact: true }).waitFor();
      await service.stop();
      await page
        .getByText(/^Connection lost .* ago/)
        .first()
        .waitFor();
    };
    const one = { ...album, looksOf: () => [look] };
    await take(browser, service.url, one, { name: 'lost', path: '/', prepare });
    await service.remove();
  }
}
