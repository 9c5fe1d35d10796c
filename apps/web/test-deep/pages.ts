import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Look, startBrowser, windowOf } from './browser.ts';

export type { Look } from './browser.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const WIDE: Look = { width: 1440, theme: 'light' };

/**
 * A browser for the tests of a file. Each page and context is closed after its test; the test fails when a page
 * logged an error, violated the content security policy or had a style tag at any time.
 */
export function browserForFile() {
  let browser: Browser;
  let opened: { context: BrowserContext; faults: string[] }[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const all = opened;
    opened = [];
    await Promise.all(all.map(({ context }) => context.close()));
    expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  });
  const tabs = async (
    look: Look = WIDE,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...windowOf(look), extraHTTPHeaders: headers });
    // The bundler of the tests calls it in functions that tests evaluate in a page.
    await context.addInitScript('globalThis.__name = (value) => value');
    opened.push({ context, faults: await faultsOf(context) });
    return context;
  };
  return {
    /** A browser context that holds several tabs. */
    tabs,
    /** A page at an address, in a browser context of its own. */
    async open(address: string, look?: Look, headers?: Readonly<Record<string, string>>) {
      const page = await (await tabs(look, headers)).newPage();
      await page.goto(address);
      return page;
    },
    /** A browser context whose faults the caller checks. */
    async unwatched() {
      const context = await tabs();
      const [last] = opened.slice(-1);
      opened = opened.slice(0, -1);
      return { context, faults: last?.faults ?? [] };
    },
  };
}

/** Collects the faults of the pages of a browser context from now on. */
async function faultsOf(context: BrowserContext): Promise<string[]> {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    const { url } = message.location();
    // Refused requests are the subject of many tests.
    const isRefusal = /^Failed to load resource/.test(message.text()) && /\/api\//.test(url);
    // Chromium logs this for every page over plain http.
    const isPlain = /^The Cross-Origin-Opener-Policy header has been ignored/.test(message.text());
    if (message.type() === 'error' && !isRefusal && !isPlain) faults.push(message.text());
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      reportError(new Error(`The policy was broken: ${violatedDirective} ${blockedURI}`));
    });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(node instanceof Element)) continue;
        if (node.matches('style') || node.querySelector('style') !== null) {
          reportError(new Error(`There was a style tag: ${node.outerHTML.slice(0, 200)}`));
        }
      }
    }).observe(document, { childList: true, subtree: true });
  });
  return faults;
}

// Only violations are computed, and style sheets are not read for rules that are disabled. These guards keep the
// focus inside a popup, and screen readers never announce them.
const GUARDS = { exclude: ['[data-base-ui-focus-guard]'] };
const QUICK = { resultTypes: ['violations'], preload: false };

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
}

/** The axe violations of the current page, best practices included; with `runOnly` only those of the given rules. */
export async function violations(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  // Injects axe through the debugging protocol, which the content security policy does not restrict; it would block
  // addScriptTag.
  if (await page.evaluate(() => !('axe' in globalThis))) {
    await page.evaluate(await readFile(AXE, 'utf8'));
  }
  return page.evaluate(
    async ({ guards, options }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const found = (await axe.run(guards, options)).violations;
      return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`);
    },
    { guards: GUARDS, options: { ...QUICK, ...(runOnly === undefined ? {} : { runOnly }) } },
  );
}

/** Waits until the page follows the change stream. */
export function isLive(page: Page): Promise<void> {
  return page.getByText('Live', { exact: true }).waitFor();
}
