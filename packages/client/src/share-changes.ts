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

/** What to follow together with other tabs. */
export type ShareOptions = Omit<FollowOptions, 'lastId' | 'onPlace'>;

/** A stream that tabs may share. */
export interface SharedFollowing extends Following {
  /**
   * Shares the connection with the tabs of this browser that pass the same name. Include the user in it: the tab
   * with the connection forwards what its user may see. With another name than before the stream starts again, with
   * a reset.
   */
  shareAs(name: string): void;
}

/** Dependencies of sharing; each has a default. */
export interface ShareDeps extends FollowDeps {
  /** Default: a `BroadcastChannel`. If it returns null, each tab has its own connection. */
  readonly openChannel?: (name: string) => TabChannel | null;
}

/** The part of a `BroadcastChannel` that is used: a message reaches every other tab, in order. */
export interface TabChannel {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** A refusal of the service in a message between tabs. */
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
type Lead = Extract<Message, { type: 'lead' }>;
type Sent = Message extends infer Each
  ? Each extends Message
    ? Omit<Each, 'from'>
    : never
  : never;

// The leading tab sends a message every 2 seconds. After 3 missed messages it has hung or crashed.
const BEAT_MS = 2_000;
const SILENCE_MS = 3 * BEAT_MS;
/**
 * How long another tab may take to respond, plus a random delay of the same length, so that tabs do not respond at
 * the same time.
 */
const ASK_MS = 150;

/**
 * Follows the changes of a service like `followChanges`, over one connection for all tabs of a browser: a browser
 * has six HTTP/1.1 connections to a service. Each tab begins with its own connection; `shareAs` joins the others
 * once the service has sent the id of the last event. Then one tab holds the connection and forwards what it reads.
 * When that tab is closed, stops, hangs or crashes, another one connects and continues from the same event. A tab
 * that may have missed something gets a reset.
 */
export function shareChanges(options: ShareOptions, deps: ShareDeps = {}): SharedFollowing {
  const place: Place = { id: '' };
  let name: string | null = null;
  let member: Member | null = null;
  const following: SharedFollowing = {
    stop() {
      member?.leave();
      member = null;
    },
    resume() {
      member ??= new Member({ place, options, deps, nameOf: () => name });
    },
    check() {
      member?.check();
    },
    shareAs(next) {
      if (next === name) return;
      const isFollowed = member !== null;
      if (name !== null) {
        following.stop();
        place.id = '';
      }
      name = next;
      if (isFollowed) following.resume();
      member?.meet();
    },
  };
  following.resume();
  return following;
}

function openBroadcast(name: string): TabChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
}

/** The last event that a tab has seen; empty before the service has sent an id. */
interface Place {
  id: string;
}

interface Part {
  readonly place: Place;
  readonly options: ShareOptions;
  readonly deps: ShareDeps;
  readonly nameOf: () => string | null;
}

/** Takes part in sharing a stream until `leave`: finds the leading tab, or leads if there is none. */
class Member {
  private readonly part: Part;
  private readonly self: string;
  private readonly random: () => number;
  private readonly timer: ReturnType<typeof createTimer>;
  /** Undefined before the first meeting, null if there is no channel. */
  private channel: TabChannel | null | undefined;
  private leader: string | null = null;
  private stream: Following | null = null;
  private state: StreamState = 'connecting';

  constructor(part: Part) {
    this.part = part;
    const { random = Math.random, timers = platformTimers } = part.deps;
    this.random = random;
    this.timer = createTimer(timers);
    this.self = `${random().toString(36).slice(2)}${random().toString(36).slice(2)}`;
    part.options.onState?.(this.state, null);
    this.meet();
    if (this.channel == null) this.connect();
  }

  /** Joins the others if both the name and the place are known. */
  meet(): void {
    const { place, options, deps, nameOf } = this.part;
    const { openChannel = openBroadcast } = deps;
    const share = nameOf();
    if (this.channel !== undefined || share === null || place.id === '') return;
    const name = `svc changes ${JSON.stringify([options.project ?? null, share])}`;
    this.channel = openChannel(name);
    if (this.channel === null) return;
    this.channel.onmessage = ({ data }) => this.hear(data as Message);
    this.ask();
  }

  leave(): void {
    this.timer.clear();
    this.stream?.stop();
    this.passOn({ type: 'bye' });
    if (this.channel != null) this.channel.onmessage = null;
    this.channel?.close();
    this.channel = null;
  }

  check(): void {
    if (this.stream === null) this.post({ type: 'check' });
    else this.stream.check();
  }

  private post(message: Sent): void {
    this.channel?.postMessage({ ...message, from: this.self });
  }

  /** Posts what only the leading tab may post. */
  private passOn(message: Sent): void {
    if (this.leader === this.self) this.post(message);
  }

  private claim(cause: unknown = null): void {
    const { id } = this.part.place;
    this.passOn({ type: 'lead', place: id, state: this.state, refusal: refusalOf(cause) });
  }

  private say(next: StreamState, cause: unknown): void {
    if (next === this.state && cause === null) return;
    this.state = next;
    this.part.options.onState?.(next, cause);
  }

  private ask(): void {
    this.leader = null;
    this.post({ type: 'ask' });
    this.timer.set(ASK_MS * (1 + this.random()), () => this.lead());
  }

  private lead(): void {
    this.leader = this.self;
    this.beat();
    this.connect();
  }

  private beat(): void {
    this.claim();
    this.timer.set(BEAT_MS, () => this.beat());
  }

  private follow({ from, place: id, state, refusal }: Lead): void {
    const { place, options } = this.part;
    this.stream?.stop();
    this.stream = null;
    this.leader = from;
    this.timer.set(SILENCE_MS, () => this.ask());
    if (place.id !== id) options.onReset();
    place.id = id;
    this.say(state, causeOf(refusal));
  }

  private hear(message: Message): void {
    const { type, from } = message;
    // If two tabs lead, because one of them had hung, the one with the smaller name continues.
    if (type === 'lead' && (this.leader !== this.self || from < this.self)) this.follow(message);
    else if (type === 'lead' || type === 'ask') this.claim();
    else if (type === 'check') this.stream?.check();
    else if (from === this.leader && type === 'bye')
      this.timer.set(ASK_MS * this.random(), () => this.lead());
    else if (from === this.leader) take(message, this.part.options, this.part.place);
  }

  private connect(): void {
    const { place, options, deps } = this.part;
    this.stream ??= followChanges(
      {
        ...options,
        lastId: place.id,
        onChange: (change) => {
          this.passOn({ type: 'change', change });
          options.onChange(change);
        },
        onReset: () => {
          this.passOn({ type: 'reset' });
          options.onReset();
        },
        onPlace: (id) => {
          place.id = id;
          this.passOn({ type: 'place', place: id });
          this.meet();
        },
        onState: (next, cause) => {
          this.say(next, cause);
          this.claim(cause);
        },
      },
      deps,
    );
  }
}

/** Handles a message that the leading tab has forwarded. */
function take(message: Message, options: ShareOptions, place: Place): void {
  if (message.type === 'change') options.onChange(message.change);
  if (message.type === 'reset') options.onReset();
  if (message.type === 'place') place.id = message.place;
}

/** A timer that is cleared when it is set again. */
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
