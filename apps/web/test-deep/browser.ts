import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { ZONE } from './zone.ts';

/** A width and a theme to look at the page in. */
export interface Look {
  /** px. */
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

/** A name of this machine that is no secure context, so that browsers keep some of what they can from the page. */
export const PLAIN_HOST = 'svc.test';

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root has no sandbox, and containers have a small /dev/shm.
    args: [
      ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
      `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
    ],
  });
}

/** A window of a look, for somebody where the service is. */
export function windowOf({ width, theme }: Look): BrowserContextOptions {
  return {
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: ZONE,
  };
}
