import { ApiError } from '@svc/client';

/** What has happened in place of an answer, and what comes of it; null where the service has said all there is. */
export interface Trouble {
  readonly title: string;
  readonly hint: string | null;
}

/** A request that no answer came to. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /** `isOffline`: the browser was offline when the request was made, so that nothing was sent. */
  constructor(isOffline: boolean, options: ErrorOptions) {
    super(
      isOffline
        ? 'This browser is offline, so nothing was sent. Try again once it is online.'
        : 'The service did not answer, so it is not known whether this was done. Check, then try again.',
      options,
    );
  }
}

// Browsers tell a lost connection by their words alone: of requests, of bodies that break off, and of modules.
const LOST = [
  'Failed to fetch',
  'fetch failed',
  'Load failed',
  'NetworkError',
  'network error',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload',
];

/** What an error comes to, in words. */
export function troubleOf(error: Error): Trouble {
  if (error instanceof ApiError) return { title: error.message, hint: null };
  const isLost = LOST.some((words) => error.message.startsWith(words));
  if (isLost || error instanceof UnreachableError) {
    return {
      title: 'The service does not answer.',
      hint: 'It may be stopped, or on its way back. The page tries again by itself.',
    };
  }
  if (error instanceof SyntaxError) {
    return {
      title: 'What was answered cannot be read.',
      hint: 'It may not come from the service, but from a proxy in front of it.',
    };
  }
  return {
    title: 'The page cannot show this.',
    hint: `It stopped at a fault of its own: ${error.message.replace(/\.$/, '')}. Load the page again; should the fault stay, report it.`,
  };
}
