import type { Following, StreamTimers } from './change-stream.ts';

interface Listened<Type extends string> {
  addEventListener(type: Type, listener: () => void): void;
  removeEventListener(type: Type, listener: () => void): void;
}

/** The part of a browser's `document` and its window that is used. */
export interface Page extends Listened<'visibilitychange' | 'freeze' | 'resume'> {
  readonly visibilityState: string;
  readonly defaultView: Listened<'pagehide' | 'pageshow'> | null;
}

const HIDDEN_MS = 5_000;

/**
 * Stops a stream when its page has been hidden for 5 seconds, and resumes it when the page is visible again: a
 * browser has six HTTP/1.1 connections to a service, and hidden tabs would use them up. A page that is left or
 * frozen stops at once, because a browser keeps it with its connections while its timers do not run. Returns a
 * function that ends this.
 */
export function pauseWhenHidden(
  following: Pick<Following, 'stop' | 'resume'>,
  page: Page,
  timers: StreamTimers = globalThis,
): () => void {
  let timer: unknown = null;
  const forget = (): void => {
    if (timer !== null) timers.clearTimeout(timer as never);
    timer = null;
  };
  const look = (): void => {
    forget();
    if (page.visibilityState !== 'hidden') following.resume();
    else timer = timers.setTimeout(() => following.stop(), HIDDEN_MS);
  };
  const leave = (): void => following.stop();
  page.addEventListener('visibilitychange', look);
  page.addEventListener('freeze', leave);
  page.addEventListener('resume', look);
  page.defaultView?.addEventListener('pagehide', leave);
  page.defaultView?.addEventListener('pageshow', look);
  if (page.visibilityState === 'hidden') look();
  return () => {
    forget();
    page.removeEventListener('visibilitychange', look);
    page.removeEventListener('freeze', leave);
    page.removeEventListener('resume', look);
    page.defaultView?.removeEventListener('pagehide', leave);
    page.defaultView?.removeEventListener('pageshow', look);
  };
}
