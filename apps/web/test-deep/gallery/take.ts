import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Look, windowOf } from '../browser.ts';
import type { View } from './views.ts';

const LOOKS: readonly Look[] = [390, 1024, 1280, 1920].flatMap((width) => [
  { width, theme: 'light' },
  { width, theme: 'dark' },
]);
const STILL_MS = 400;
const TIMEOUT_MS = 3000;
/** The maximum size in bytes of a README picture. */
const MOST_BYTES = 60 * 1024;

/** Which pictures to take, and how. */
export interface Album {
  readonly folder: string;
  /** The looks for a view; empty to skip the view. */
  readonly looksOf: (view: string) => readonly Look[];
  /** Whole pages as PNG, or first screens as WebP of at most 60 KiB. */
  readonly form: 'whole' | 'small';
}

/** Every view whose name matches, in every look, as whole pages. */
export function wholeAlbum(folder: string, pattern = ''): Album {
  const wanted = new RegExp(pattern);
  return { folder, form: 'whole', looksOf: (view) => (wanted.test(view) ? LOOKS : []) };
}

/** A few views, each in one look, as small pictures of the first screen. */
export function smallAlbum(folder: string, shown: Readonly<Record<string, Look>>): Album {
  const looksOf = (view: string): Look[] => (shown[view] === undefined ? [] : [shown[view]]);
  return { folder, form: 'small', looksOf };
}

/** Takes the pictures of a view that an album asks for. */
export async function take(browser: Browser, url: string, album: Album, view: View): Promise<void> {
  await mkdir(album.folder, { recursive: true });
  for (const look of album.looksOf(view.name)) {
    const page = await browser.newPage(windowOf(look));
    await page.goto(url + view.path);
    await settled(page);
    await view.prepare?.(page);
    await settled(page);
    await write(page, album, view.name, look);
    await page.close();
  }
}

async function write(page: Page, { folder, form }: Album, name: string, look: Look): Promise<void> {
  if (form === 'small') {
    await writeFile(join(folder, `${name}.webp`), await smallPicture(page));
  } else {
    const path = join(folder, `${name}-${look.width}-${look.theme}.png`);
    await page.screenshot({ path, fullPage: true });
  }
}

/** Waits for lazy-loaded modules and the requests that they send. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(() => {
    const waits = [...document.querySelectorAll('main [role=status]')];
    return waits.every((each) => !each.textContent?.startsWith('Loading'));
  });
  await page.evaluate(
    ([still, timeout]) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, still);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, still);
        }).observe(document.body, { childList: true, subtree: true });
        setTimeout(resolve, timeout);
      }),
    [STILL_MS, TIMEOUT_MS],
  );
}

/** The best WebP picture within the size limit; the browser encodes it, through its debugging protocol. */
async function smallPicture(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (const quality of [90, 80, 70, 60, 50, 40, 30]) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const picture = Buffer.from(data, 'base64');
    if (picture.length <= MOST_BYTES) return picture;
  }
  throw new Error('No quality makes this picture small enough.');
}
