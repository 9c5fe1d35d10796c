import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Look, startBrowser, windowOf } from './browser.ts';

export type { Look } from './browser.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const WIDE: Look = { width: 1440, theme: 'light' };

/**
 * A browser for the tests of a file. Whatever a test opens is closed after it, and the test fails when a page logged an error,
 * broke the policy or had a style tag at any time.
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
    opened.push({ context, faults: await faultsOf(context) });
    return context;
  };
  return {
    /** A window that holds several tabs. */
    tabs,
    /** A page at an address, in a window of its own. */
    async open(address: string, look?: Look, headers?: Readonly<Record<string, string>>) {
      const page = await (await tabs(look, headers)).newPage();
      await page.goto(address);
      return page;
    },
    /** A window whose faults are the caller's to look at. */
    async unwatched() {
      const context = await tabs();
      const [last] = opened.slice(-1);
      opened = opened.slice(0, -1);
      return { context, faults: last?.faults ?? [] };
    },
  };
}

/** Collects what the pages of a window do wrong from now on. */
async function faultsOf(context: BrowserContext): Promise<string[]> {
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    const { url } = message.location();
    // Answers that refuse something are what many tests are about.
    const isRefusal = /^Failed to load resource/.test(message.text()) && /\/api\//.test(url);
    // Chromium says so of every page over plain http.
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

// Only what is wrong is asked for, and no style sheet is read for a rule that is not on.
// These hold the focus within what is open, and are never told to anybody.
const GUARDS = { exclude: ['[data-base-ui-focus-guard]'] };
const QUICK = { resultTypes: ['violations'], preload: false };

interface Axe {
  run(
    context: object,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
}

/** What axe has against the page as it stands, best practices included; by some of its rules alone, where they are given. */
export async function violations(page: Page, runOnly?: readonly string[]): Promise<string[]> {
  // Through the debugging protocol, which the policy does not touch; addScriptTag would be refused.
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

/** Waits until the page follows what changes in the service. */
export function isLive(page: Page): Promise<void> {
  return page.getByText('Live', { exact: true }).waitFor();
}
