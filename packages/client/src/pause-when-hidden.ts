import type { Following, StreamTimers } from './change-stream.ts';

/** The part of a browser's `document` that is looked at. */
export interface Page {
  readonly visibilityState: string;
  addEventListener(type: 'visibilitychange', listener: () => void): void;
  removeEventListener(type: 'visibilitychange', listener: () => void): void;
}

const HIDDEN_MS = 5_000;

/**
 * Stops a stream when its page has been hidden for 5 seconds and resumes it when it is seen again: a browser has six
 * HTTP/1.1 connections to a service, and the streams of tabs that nobody sees would use them up. Returns what ends this.
 */
export function pauseWhenHidden(
  following: Following,
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
  page.addEventListener('visibilitychange', look);
  if (page.visibilityState === 'hidden') look();
  return () => {
    forget();
    page.removeEventListener('visibilitychange', look);
  };
}
