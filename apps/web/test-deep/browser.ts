import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { ZONE } from './zone.ts';

/** A window width and a theme. */
export interface Look {
  /** px. */
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

/** A host name of this machine that is not a secure context: browsers restrict some APIs there. */
export const PLAIN_HOST = 'svc.test';

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root cannot use the sandbox, and containers have a small /dev/shm.
    args: [
      ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
      `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
    ],
  });
}

/** The context options for a look, in the time zone of the service. */
export function windowOf({ width, theme }: Look): BrowserContextOptions {
  return {
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: ZONE,
  };
}
