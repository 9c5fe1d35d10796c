import { ApiError } from './errors.ts';
import { createEventParser, type ServerSentEvent } from './event-parser.ts';

/** A change: a hint of what to fetch again. */
export interface Change {
  readonly kind: 'project' | 'triggers' | 'run' | 'chat' | 'event';
  /** Slug of the project. */
  readonly project: string;
  /** Id of the run or chat; otherwise the slug. */
  readonly id: string;
}

/** `connecting` until the first response, `lost` from a loss until the next response. */
export type StreamState = 'connecting' | 'live' | 'lost';

/** What to follow, and the callbacks. */
export interface FollowOptions {
  /** Origin of the service, e.g. `http://127.0.0.1:7420`. */
  readonly baseUrl: string;
  /** Slug of the only project to follow. Default: all. */
  readonly project?: string;
  /** Headers of every request, e.g. `Authorization`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly onChange: (change: Change) => void;
  /** Called when anything may have changed: the stream has begun, or the service no longer has the missed events. */
  readonly onReset: () => void;
  /** `cause` comes with `lost`: an `ApiError`, a network error, or null if the stream just ended. */
  readonly onState?: (state: StreamState, cause: unknown) => void;
  /**
   * Id of the last event seen: later events are reported first. Default: none, and the stream begins with a reset.
   */
  readonly lastId?: string;
  /** Called when the id of the last event seen has changed, after the events up to it. */
  readonly onPlace?: (lastId: string) => void;
}

/** Dependencies of the stream; each has a default. */
export interface FollowDeps {
  /** Default: `globalThis.fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Default: the timers of the platform. Times are milliseconds. */
  readonly timers?: StreamTimers;
  /** A number from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Timers. */
export interface StreamTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: never): void;
}

/** A stream that is followed. */
export interface Following {
  /** Ends the connection. No callback is called afterwards. */
  stop(): void;
  /** Connects again after `stop`, and reports what changed meanwhile, or a reset. */
  resume(): void;
  /**
   * Connects again at once, because the connection may be lost: after an `offline` or `online` event, or a failed
   * request. The state becomes `lost` if that fails or takes longer than 2 seconds. Does nothing after `stop`.
   */
  check(): void;
}

// The service sends a comment every 15 seconds.
const SILENCE_MS = 40_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const CHECK_MS = 2_000;

/** The timers of the platform. */
export const platformTimers: StreamTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (timer) => clearTimeout(timer),
};

/**
 * Follows the changes of a service until it is stopped. Reconnects if the connection breaks or is silent for 40
 * seconds: after half a second, then with a growing delay of up to 15 seconds, varied by a quarter.
 */
export function followChanges(options: FollowOptions, deps: FollowDeps = {}): Following {
  const { timers = platformTimers, random = Math.random } = deps;
  let lastId = options.lastId ?? '';
  let current: AbortController | null = null;
  let attempt = new AbortController();
  const follow = async (signal: AbortSignal): Promise<void> => {
    const say = (state: StreamState, cause: unknown = null): void => {
      if (!signal.aborted) options.onState?.(state, cause);
    };
    let wait = FIRST_WAIT_MS;
    let overdue: unknown = null;
    const isAnswered = (): void => {
      if (overdue !== null) timers.clearTimeout(overdue as never);
      overdue = null;
    };
    signal.addEventListener('abort', isAnswered);
    const opened = (): void => {
      wait = FIRST_WAIT_MS;
      isAnswered();
      say('live');
      // Without an id no event is sent again: earlier data may be out of date.
      if (lastId === '') options.onReset();
    };
    say('connecting');
    while (!signal.aborted) {
      attempt = new AbortController();
      const own = AbortSignal.any([signal, attempt.signal]);
      const cause = await read(
        { options, deps, timers, signal: own, lastId },
        opened,
        (events, id) => {
          const isMoved = id !== lastId;
          lastId = id;
          for (const event of events) tell(event, options);
          if (isMoved) options.onPlace?.(id);
        },
      );
      if (!attempt.signal.aborted) {
        isAnswered();
        say('lost', cause);
        await pause(timers, wait * (0.75 + random() / 2), own);
        wait = Math.min(wait * 2, LONGEST_WAIT_MS);
      }
      if (attempt.signal.aborted && !signal.aborted) {
        wait = FIRST_WAIT_MS;
        overdue ??= timers.setTimeout(() => say('lost'), CHECK_MS);
      }
    }
  };
  const following: Following = {
    stop() {
      current?.abort();
      current = null;
    },
    resume() {
      if (current !== null) return;
      current = new AbortController();
      void follow(current.signal);
    },
    check() {
      attempt.abort();
    },
  };
  following.resume();
  return following;
}

function tell({ name, data }: ServerSentEvent, { onChange, onReset }: FollowOptions): void {
  if (name === 'reset') onReset();
  else onChange(JSON.parse(data) as Change);
}

interface Reading {
  readonly options: FollowOptions;
  readonly deps: FollowDeps;
  readonly timers: StreamTimers;
  readonly signal: AbortSignal;
  readonly lastId: string;
}

/** Reads one connection to its end, which is unexpected, and returns its cause. */
async function read(
  { options, deps, timers, signal, lastId }: Reading,
  opened: () => void,
  note: (events: readonly ServerSentEvent[], lastId: string) => void,
): Promise<unknown> {
  const silence = new AbortController();
  const isOver = (): boolean => signal.aborted || silence.signal.aborted;
  const quiet = createWatch(timers, () => silence.abort(new Error(SILENT)));
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const response = await open(options, deps, { lastId, signal: either });
    if (isOver()) return silence.signal.reason ?? null;
    opened();
    const parser = createEventParser(lastId);
    const decoder = new TextDecoder();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    // A body from a custom `fetch` may not end with the signal.
    either.addEventListener('abort', () => void reader.cancel().catch(() => {}));
    for (;;) {
      quiet.restart();
      const { done, value } = await reader.read();
      if (done || isOver()) return silence.signal.reason ?? null;
      note(parser.read(decoder.decode(value, { stream: true })), parser.lastId);
    }
  } catch (error) {
    return error;
  } finally {
    quiet.end();
  }
}

const SILENT = 'The service sent nothing for 40 seconds.';

async function open(
  { baseUrl, project, headers }: FollowOptions,
  { fetch = globalThis.fetch }: FollowDeps,
  { lastId, signal }: { readonly lastId: string; readonly signal: AbortSignal },
): Promise<Response> {
  const url = new URL('/api/events', baseUrl);
  if (project !== undefined) url.searchParams.set('project', project);
  const place = lastId === '' ? {} : { 'Last-Event-ID': lastId };
  const accept = { accept: 'text/event-stream' };
  const init: RequestInit = { headers: { ...accept, ...headers, ...place }, signal };
  const response = await fetch(url.href, init);
  if (response.ok && response.body !== null) return response;
  const body: unknown = await response.json().catch(() => null);
  throw new ApiError(response.status, body);
}

/** Calls back after a period of silence; can be restarted. */
function createWatch(timers: StreamTimers, onSilence: () => void) {
  let timer = timers.setTimeout(onSilence, SILENCE_MS);
  const end = (): void => timers.clearTimeout(timer as never);
  return {
    end,
    restart() {
      end();
      timer = timers.setTimeout(onSilence, SILENCE_MS);
    },
  };
}

function pause(timers: StreamTimers, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      timers.clearTimeout(timer as never);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = timers.setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
