import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { ZONE } from './zone.ts';

/** A width and a theme to look at the page in. */
export interface Look {
  /** px. */
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root has no sandbox, and containers have a small /dev/shm.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
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
