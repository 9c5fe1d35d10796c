import {
  type Change,
  type FollowDeps,
  type Following,
  type FollowOptions,
  followChanges,
  platformTimers,
  type StreamState,
  type StreamTimers,
} from './change-stream.ts';
import { ApiError } from './errors.ts';

/** What is followed together with other tabs. */
export interface ShareOptions extends Omit<FollowOptions, 'lastId' | 'onPlace'> {
  /**
   * Tabs of one browser that give the same name share one connection. Name the user in it: the one that holds the
   * connection passes on whatever its user may see.
   */
  readonly share: string;
}

/** What sharing works with; each has a default. */
export interface ShareDeps extends FollowDeps {
  /** Default: a `BroadcastChannel`. Where it is null each tab has a connection of its own. */
  readonly openChannel?: (name: string) => TabChannel | null;
}

/** The part of a `BroadcastChannel` that is used: a message reaches every other tab, in order. */
export interface TabChannel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** How a refusal of the service crosses from tab to tab. */
type Refusal = { readonly status: number; readonly error: string; readonly code: string };

type Message = { readonly from: string } & (
  | { readonly type: 'ask' | 'bye' | 'check' | 'reset' }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'place'; readonly place: string }
  | {
      readonly type: 'lead';
      readonly place: string;
      readonly state: StreamState;
      readonly refusal: Refusal | null;
    }
);
type Sent = Message extends infer Each
  ? Each extends Message
    ? Omit<Each, 'from'>
    : never
  : never;

// A tab that leads says so every 2 seconds; one that has been silent for 3 of them has hung, or crashed.
const BEAT_MS = 2_000;
const SILENCE_MS = 3 * BEAT_MS;
/** How long an answer of another tab may take, and as much again at random, so that one of several is first. */
const ASK_MS = 150;

/**
 * Follows what changes in a service as `followChanges` does, over one connection for all tabs of a browser that show it: a
 * browser has six HTTP/1.1 connections to a service. One tab holds the connection and passes on what it reads. When that
 * tab is closed, stops, hangs or crashes, another one connects from where it stood. A tab that may have missed something
 * gets a reset.
 */
export function shareChanges(options: ShareOptions, deps: ShareDeps = {}): Following {
  const { openChannel = openBroadcast } = deps;
  const name = `svc changes ${JSON.stringify([options.project ?? null, options.share])}`;
  let member: Member | null = null;
  const place: Place = { id: null };
  const following: Following = {
    stop() {
      member?.leave();
      member = null;
    },
    resume() {
      if (member !== null) return;
      const channel = openChannel(name);
      member = channel === null ? alone(place, options, deps) : join(channel, place, options, deps);
    },
    check() {
      member?.check();
    },
  };
  following.resume();
  return following;
}

function openBroadcast(name: string): TabChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
}

/** Up to which event a tab has been informed; null before it was for the first time. */
interface Place {
  id: string | null;
}

interface Member {
  leave(): void;
  check(): void;
}

/** Follows over a connection of its own until `leave`. */
function alone(place: Place, options: ShareOptions, deps: ShareDeps): Member {
  const onPlace = (id: string): void => {
    place.id = id;
  };
  const stream = followChanges({ ...options, lastId: place.id ?? '', onPlace }, deps);
  return { leave: stream.stop, check: stream.check };
}

/** Takes part in sharing a stream until `leave`: asks for the tab that leads, and leads where there is none. */
function join(channel: TabChannel, place: Place, options: ShareOptions, deps: ShareDeps): Member {
  const { random = Math.random } = deps;
  const self = `${random().toString(36).slice(2)}${random().toString(36).slice(2)}`;
  const timer = createTimer(deps.timers ?? platformTimers);
  let leader: string | null = null;
  let stream: Following | null = null;
  let state: StreamState = 'connecting';
  const post = (message: Sent): void => channel.postMessage({ ...message, from: self });
  const say = (next: StreamState, cause: unknown): void => {
    if (next === state && cause === null) return;
    state = next;
    options.onState?.(next, cause);
  };
  const claim = (cause: unknown = null): void =>
    post({ type: 'lead', place: place.id ?? '', state, refusal: refusalOf(cause) });
  const beat = (): void => {
    claim();
    timer.set(BEAT_MS, beat);
  };
  const lead = (): void => {
    leader = self;
    beat();
    const onState = (next: StreamState, cause: unknown): void => {
      say(next, cause);
      claim(cause);
    };
    stream = followChanges({ ...passingOn(options, place, post), onState }, deps);
  };
  const ask = (): void => {
    leader = null;
    post({ type: 'ask' });
    timer.set(ASK_MS * (1 + random()), lead);
  };
  const follow = (message: Extract<Message, { type: 'lead' }>): void => {
    stream?.stop();
    stream = null;
    leader = message.from;
    timer.set(SILENCE_MS, ask);
    if (place.id !== message.place) options.onReset();
    place.id = message.place;
    say(message.state, causeOf(message.refusal));
  };
  const answer = (): void => {
    if (stream !== null) claim();
  };
  const hear = (message: Message): void => {
    // Of two that lead, as after one of them had hung, the one with the lesser name stays.
    if (message.type === 'lead' && (stream === null || message.from < self)) follow(message);
    else if (message.type === 'lead' || message.type === 'ask') answer();
    else if (message.type === 'check') stream?.check();
    else if (message.from === leader && message.type === 'bye') timer.set(ASK_MS * random(), lead);
    else if (message.from === leader) take(message, options, place);
  };
  channel.onmessage = ({ data }) => hear(data as Message);
  options.onState?.(state, null);
  ask();
  return {
    leave() {
      timer.clear();
      channel.onmessage = null;
      stream?.stop();
      if (stream !== null) post({ type: 'bye' });
      channel.close();
    },
    check() {
      if (stream === null) post({ type: 'check' });
      else stream.check();
    },
  };
}

/** What the tab that leads follows the stream with: it passes on what it reads. */
function passingOn(
  options: ShareOptions,
  place: Place,
  post: (message: Sent) => void,
): FollowOptions {
  return {
    ...options,
    lastId: place.id ?? '',
    onChange(change) {
      post({ type: 'change', change });
      options.onChange(change);
    },
    onReset() {
      place.id ??= '';
      post({ type: 'reset' });
      options.onReset();
    },
    onPlace(id) {
      place.id = id;
      post({ type: 'place', place: id });
    },
  };
}

/** Takes what the tab that leads has passed on. */
function take(message: Message, options: ShareOptions, place: Place): void {
  if (message.type === 'change') options.onChange(message.change);
  if (message.type === 'reset') options.onReset();
  if (message.type === 'place') place.id = message.place;
}

/** A timer of which the next setting ends the one before. */
function createTimer(timers: StreamTimers) {
  let timer: unknown;
  const clear = (): void => {
    if (timer !== undefined) timers.clearTimeout(timer as never);
    timer = undefined;
  };
  return {
    clear,
    set(ms: number, callback: () => void) {
      clear();
      timer = timers.setTimeout(callback, ms);
    },
  };
}

function refusalOf(cause: unknown): Refusal | null {
  if (!(cause instanceof ApiError)) return null;
  return { status: cause.status, error: cause.message, code: cause.code };
}

function causeOf(refusal: Refusal | null): unknown {
  return refusal === null ? null : new ApiError(refusal.status, refusal);
}
