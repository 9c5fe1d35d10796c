import type { Page } from 'playwright-core';

/** The thresholds of the layout checks. */
export interface Measure {
  /** The minimum height of a control in px. */
  readonly least: number;
  /** The selector of the links that count as controls. */
  readonly links: string;
}

/** Returns the layout faults of a page at a width, as sentences; empty when there are none. */
export async function faultsAt(page: Page, width: number, measure: Measure): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(takeTools);
  const found = [
    ...(await page.evaluate(lowControls, measure)),
    ...(await page.evaluate(overflowing)),
    ...(await page.evaluate(cutOff)),
    ...(await page.evaluate(longPlaceholders)),
    ...(await page.evaluate(overlapping)),
    ...(await page.evaluate(squeezed, LEAST_CHARACTERS)),
    ...(await page.evaluate(highRows, MOST_ROW)),
  ];
  return [...new Set(found)];
}

/** The minimum number of characters that fit on a line of text that wraps. */
const LEAST_CHARACTERS = 12;
/** The maximum height of a row in px, whatever its content. */
const MOST_ROW = 420;

/** Helpers shared by the checks below, which run inside the page and cannot refer to anything outside of it. */
interface Tools {
  /** The visible elements. */
  readonly all: (selector: string) => HTMLElement[];
  readonly styleOf: (each: Element) => CSSStyleDeclaration;
  /** Nearest first. */
  readonly ancestors: (each: Element) => Element[];
  readonly isScrolling: (each: Element) => boolean;
  readonly named: (fault: string, each: Element) => string;
  /** The clickable elements with their visible rectangles. */
  readonly pressed: () => { each: HTMLElement; rects: DOMRect[] }[];
}

type Measured = typeof globalThis & { tools: Tools };

/** Waits until the layout for this width is done, and installs the helpers. */
async function takeTools(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  const known = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (each: Element): CSSStyleDeclaration => {
    const style = known.get(each) ?? getComputedStyle(each);
    known.set(each, style);
    return style;
  };
  const all = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => {
      const { width, bottom, height } = each.getBoundingClientRect();
      return each.checkVisibility() && width > 1 && height > 1 && bottom > 0;
    });
  // A link without a border counts with its text alone, without the padding that makes it easier to touch.
  const seenOf = (each: HTMLElement): DOMRect[] => {
    const rects = [...each.getClientRects()];
    const style = styleOf(each);
    if (!each.matches('a') || style.borderTopStyle !== 'none') return rects;
    const above = Number.parseFloat(style.paddingTop);
    const below = Number.parseFloat(style.paddingBottom);
    return rects.map(
      ({ x, y, width, height }) => new DOMRect(x, y + above, width, height - above - below),
    );
  };
  const tools: Tools = {
    all,
    styleOf,
    ancestors: (each) =>
      each.parentElement === null
        ? []
        : [each.parentElement, ...tools.ancestors(each.parentElement)],
    isScrolling: (each) =>
      /auto|scroll/.test(`${styleOf(each).overflowX} ${styleOf(each).overflowY}`),
    named: (fault, each) => {
      const text = each.getAttribute('aria-label') ?? each.textContent ?? '';
      return `${fault}: ${each.tagName} ${each.className} ${text.slice(0, 60)}`;
    },
    pressed: () =>
      all('button, input, select, textarea, summary, [role=switch], a[href]').map((each) => ({
        each,
        rects: seenOf(each),
      })),
  };
  Object.assign(globalThis, { tools });
}

/** Controls that are too low for a finger or a pointer; inline links are exempt. */
function lowControls({ least, links }: Measure): string[] {
  const { all, styleOf, named } = (globalThis as Measured).tools;
  // The bars of a strip repeat what the Runs view lists.
  const isBar = (each: Element): boolean => each.closest('ol[aria-label^="Recent runs"]') !== null;
  // The output of agents is text.
  const isInSentence = (each: Element): boolean =>
    styleOf(each).display === 'inline' &&
    (each.closest('[role=log]') !== null ||
      each.parentElement?.textContent?.trim() !== each.textContent?.trim());
  // The clickable area may be larger than the visible one.
  const heightOf = (each: Element): number =>
    Math.max(
      (each.closest('label') ?? each).getBoundingClientRect().height,
      each.matches('[role=switch]')
        ? Number.parseFloat(getComputedStyle(each, '::before').height)
        : 0,
    );
  return all(`button, input, select, textarea, summary, [role=switch], ${links}`)
    .filter((each) => !isBar(each) && !isInSentence(each) && heightOf(each) < least - 0.5)
    .map((each) => named('low', each));
}

/** A page that scrolls sideways, and cells that overflow into the next cell. */
function overflowing(): string[] {
  const { all, isScrolling, named } = (globalThis as Measured).tools;
  const isSideways = document.documentElement.scrollWidth > innerWidth;
  const wide = all('main :is(td, th, [data-row] > :not(:has([role=switch])))').filter(
    (each) => each.scrollWidth > each.clientWidth && !isScrolling(each),
  );
  return [
    ...(isSideways ? ['scrolls sideways'] : []),
    ...wide.map((each) => named('overflows', each)),
  ];
}

/** Placeholders that are wider than their field, on screens that have room for them. */
function longPlaceholders(): string[] {
  const { all, styleOf, named } = (globalThis as Measured).tools;
  const canvas = document.createElement('canvas').getContext('2d');
  // Chromium keeps this free for the arrow of a list.
  const arrow = 22;
  const isLong = (each: HTMLElement): boolean => {
    const { placeholder, value, list } = each as HTMLInputElement;
    if (canvas === null || value !== '' || placeholder === '' || innerWidth < 768) return false;
    const { font, paddingLeft, paddingRight } = styleOf(each);
    canvas.font = font;
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    const room = each.clientWidth - padding - (list === null ? 0 : arrow);
    return canvas.measureText(placeholder).width > room;
  };
  return all('input[placeholder]')
    .filter(isLong)
    .map((each) => named('cut placeholder', each));
}

/** Controls that are outside of the window, or clipped by a parent without an ellipsis. */
function cutOff(): string[] {
  const { pressed, ancestors, isScrolling, styleOf, named } = (globalThis as Measured).tools;
  const isCut = (each: HTMLElement, rects: readonly DOMRect[]): boolean => {
    const around = ancestors(each);
    if (around.some(isScrolling)) return false;
    if (rects.some(({ left, right }) => left < -0.5 || right > innerWidth + 0.5)) return true;
    if ([each, ...around].some((one) => styleOf(one).textOverflow === 'ellipsis')) return false;
    const edges = around
      .filter((one) => styleOf(one).overflowX !== 'visible')
      .map((one) => one.getBoundingClientRect());
    return rects.some(({ left, right }) =>
      edges.some((edge) => left < edge.left - 1 || right > edge.right + 1),
    );
  };
  return pressed()
    .filter(({ each, rects }) => isCut(each, rects))
    .map(({ each }) => named('cut off', each));
}

/** Controls that overlap each other. */
function overlapping(): string[] {
  const { pressed, ancestors, isScrolling, styleOf, named } = (globalThis as Measured).tools;
  // Sticky elements cover the content that scrolls below them, and content scrolled out of a box covers nothing.
  const isFree = (each: Element): boolean =>
    ![each, ...ancestors(each)].some(
      (one) => isScrolling(one) || ['sticky', 'fixed'].includes(styleOf(one).position),
    );
  const isOver = (one: DOMRect, two: DOMRect): boolean =>
    Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1 &&
    Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2;
  const boxes = pressed().filter(({ each }) => isFree(each));
  return boxes.flatMap(({ each, rects }, at) =>
    boxes
      .slice(at + 1)
      .filter((other) => !each.contains(other.each) && !other.each.contains(each))
      .filter((other) => rects.some((one) => other.rects.some((two) => isOver(one, two))))
      .map((other) => named(`lies over ${other.each.textContent?.slice(0, 40)}`, each)),
  );
}

/** Wrapped texts whose lines are too narrow. */
function squeezed(leastCharacters: number): string[] {
  const { styleOf, ancestors, named } = (globalThis as Measured).tools;
  const ruler = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  const isBroken = (text: Node): boolean => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  };
  const roomOf = (parent: Element): number => {
    const block = [parent, ...ancestors(parent)].find(
      (one) => !['inline', 'contents'].includes(styleOf(one).display),
    );
    // Text for screen readers only is 1 px wide.
    if (block === undefined || block.clientWidth <= 1) return Number.POSITIVE_INFINITY;
    const { paddingInlineStart, paddingInlineEnd } = styleOf(block);
    return (
      block.clientWidth -
      Number.parseFloat(paddingInlineStart) -
      Number.parseFloat(paddingInlineEnd)
    );
  };
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement as HTMLElement;
    if (parent.closest('svg, script, option') !== null || !parent.checkVisibility()) continue;
    if (!isBroken(texts.currentNode)) continue;
    const { fontWeight, fontSize, fontFamily } = styleOf(parent);
    ruler.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const room = roomOf(parent);
    if (room < leastCharacters * ruler.measureText('0').width) {
      found.push(named(`narrow, ${room} px`, parent));
    }
  }
  return found;
}

/** Rows that are too high. */
function highRows(most: number): string[] {
  const { all, named } = (globalThis as Measured).tools;
  // The items of a list inside a row are measured one by one.
  return all('main :is(tr, [data-row], li)')
    .filter((each) => each.querySelector('tr, [data-row], li, pre') === null)
    .filter((each) => each.getBoundingClientRect().height > most)
    .map((each) => named(`over ${most} px high`, each));
}
