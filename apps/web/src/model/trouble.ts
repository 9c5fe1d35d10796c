import { ApiError } from '@svc/client';

/** What has happened in place of an answer, and what comes of it; null where the service has said all there is. */
export interface Trouble {
  readonly title: string;
  readonly hint: string | null;
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
  if (LOST.some((words) => error.message.startsWith(words))) {
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
