import { ApiError } from '@svc/client';

/** A title and a hint for an error; the hint is null when the title is the complete message of the service. */
export interface ErrorText {
  readonly title: string;
  readonly hint: string | null;
}

/** A request that got no response. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  /** `isOffline`: the browser was offline when the request was made, so nothing was sent. */
  constructor(isOffline: boolean, options: ErrorOptions) {
    super(
      isOffline
        ? 'You are offline, so nothing was sent. Try again when you are back online.'
        : 'The service did not respond, so the change may or may not have been made. Check, then try again.',
      options,
    );
  }
}

// Browsers report a lost connection only in the message: of requests, of interrupted bodies, and of modules.
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

/** Describes an error for the user. */
export function errorTextOf(error: Error): ErrorText {
  if (error instanceof ApiError) return { title: error.message, hint: null };
  const isLost = LOST.some((words) => error.message.startsWith(words));
  if (isLost || error instanceof UnreachableError) {
    return {
      title: 'The service is not responding.',
      hint: 'It may be stopped or restarting. The page retries automatically.',
    };
  }
  if (error instanceof SyntaxError) {
    return {
      title: 'The response cannot be read.',
      hint: 'It may come from a proxy in front of the service.',
    };
  }
  return {
    title: 'Something went wrong on this page.',
    hint: `The error is: ${error.message.replace(/\.$/, '')}. Reload the page. If it happens again, report the error.`,
  };
}
