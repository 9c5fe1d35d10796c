import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const SERVER = new URL('../../server/bin/svc.js', import.meta.url).pathname;
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A width and a theme to look at the page in. */
export interface Look {
  readonly width: 390 | 1440;
  readonly theme: 'light' | 'dark';
}

export const LOOKS: readonly Look[] = [
  { width: 1440, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** The built service on a home of its own. */
export interface Service {
  readonly url: string;
  readonly home: string;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** How a service is started. */
export interface ServiceOptions {
  readonly home?: string;
  readonly port?: string;
  /** Text of svc.config.yaml. Default: what `svc init` writes. */
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built service; without a home it makes one with the sample project. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'svc-page-')));
  if (options.home === undefined) {
    await once(spawn(process.execPath, [SERVER, 'init', '--home', home]), 'exit');
  }
  if (options.config !== undefined) await writeFile(join(home, 'svc.config.yaml'), options.config);
  const given = ['serve', '--home', home, '--port', options.port ?? '0'];
  const own = { PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'Europe/Berlin' };
  const env = { ...own, ...options.env };
  const child = spawn(process.execPath, [SERVER, ...given], { env });
  return {
    url: await addressOf(child),
    home,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${log}`)));
    child.stdout?.on('data', (text) => {
      log += String(text);
      const line = log.split('\n').find((entry) => entry.includes('"msg":"listening"'));
      if (line !== undefined) resolve((JSON.parse(line) as { url: string }).url);
    });
  });
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    // Root has no sandbox, and containers have a small /dev/shm.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/** Opens an address; `faults` collects what breaks the policy or a script. */
export async function open(
  browser: Browser,
  address: string,
  { width, theme }: Look = { width: 1440, theme: 'light' },
  headers: Readonly<Record<string, string>> = {},
): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    extraHTTPHeaders: headers,
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  await page.goto(address);
  return { page, faults };
}

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
}

/** What axe has against the page as it stands, best practices included. */
export async function violations(page: Page): Promise<string[]> {
  // Through the debugging protocol, which the policy does not touch; addScriptTag would be refused.
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`);
  });
}

/** Waits until something outside of the page has come about. */
export async function eventually(is: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error('It did not come about within five seconds.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
