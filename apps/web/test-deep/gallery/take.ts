import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { LOOKS, type Look, open } from '../harness.ts';
import type { View } from './views.ts';

/** How a picture is taken. */
export interface Shot extends View {
  readonly look: Look;
  /** Of the whole page; else of the first screen. */
  readonly isWhole: boolean;
  /** 1 to 100 of WebP; without it the picture is a PNG. */
  readonly quality?: number;
}

/** Takes a picture in every look. */
export async function inEveryLook(browser: Browser, url: string, folder: string, view: View) {
  for (const look of LOOKS) {
    await take(browser, url, folder, { ...view, look, isWhole: true });
  }
}

/** Opens a view, waits until it stands still, and writes its picture into a folder. */
export async function take(browser: Browser, url: string, folder: string, shot: Shot) {
  const { look, name, path, prepare } = shot;
  const { page } = await open(browser, url + path, look);
  await settled(page);
  await prepare?.(page);
  await settled(page);
  const suffix = shot.quality === undefined ? 'png' : 'webp';
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}-${look.width}-${look.theme}.${suffix}`);
  await writeFile(file, await pictureOf(page, shot));
  await page.close();
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.waitForFunction(() => {
    const waits = [...document.querySelectorAll('main [role=status]')];
    return waits.every((each) => !each.textContent?.startsWith('Loading'));
  });
  // What comes late: parts that are loaded when they are needed, and the answers that they ask for.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 400);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, 400);
        }).observe(document.body, { childList: true, subtree: true });
        setTimeout(resolve, 3000);
      }),
  );
}

/** WebP comes from the browser itself, through its debugging protocol. */
async function pictureOf(page: Page, { isWhole, quality }: Shot): Promise<Buffer> {
  if (quality === undefined) return page.screenshot({ fullPage: isWhole });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}
