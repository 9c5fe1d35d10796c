import type { Clock, TimerHandle } from '@svc/core';
import type { Fault } from '../database/health.ts';
import { StoreError } from '../errors.ts';

/** Time without a response after which the server is checked. */
const SILENCE_MS = 750;
/** Time limit for a response, and for a connection. */
const ANSWER_MS = 2000;
const CONNECT_MS = 3000;
/** Time limits count in steps: a suspended process loses one step, however long the suspension. */
const STEP_MS = 250;
/** A connection without a response for this long is replaced. */
const GIVE_UP_MS = 5000;
const AGAIN_MS = 500;

/** A separate connection for checks. */
export interface Line {
  /** `looking_up` while waiting for name resolution, which says nothing about the server. */
  readonly state: 'looking_up' | 'connecting' | 'open';
  /** Sends a check, over a new connection the first time. Rejects with the error of the driver or server. */
  ask(): Promise<void>;
  /** Closes gracefully. Never rejects. */
  close(): Promise<void>;
  /** Closes at once. */
  cut(): void;
}

/** Monitors whether a database server responds. */
export interface ServerWatch {
  /** Why the server is unreachable; null while it is reachable as far as known. */
  readonly away: Fault | null;
  /** Milliseconds since the last response. */
  readonly quietMs: number;
  /** Starts the checks. */
  start(): void;
  /** Reports a response of the server. */
  heard(): void;
  /** Reports a broken connection, so that the server is checked at once. */
  doubted(): void;
  /**
   * Resolves when the server responds, or has just done so; rejects with `unavailable` after at most 3 s, and at once
   * while it is unreachable.
   */
  look(): Promise<void>;
  /** Calls back when it becomes unreachable, when the reason changes, and when it is reachable again. Returns how to stop. */
  subscribe(on: (away: Fault | null) => void): () => void;
  close(): Promise<void>;
}

/** Dependencies of the monitor. */
export interface WatchParts {
  readonly clock: Clock;
  openLine(): Line;
  /** The problem behind an error of a check; null for errors that only a reachable server returns. */
  faultOf(error: unknown): Fault | null;
  /** The problem of a server that does not respond at all. */
  readonly silent: Fault;
}

/**
 * Monitors a server over a connection that is used for nothing else, so that a busy connection is not mistaken for an
 * unreachable server. A server counts as unreachable if it refuses connections, or responds to no connection for
 * seconds.
 */
export function createServerWatch(parts: WatchParts): ServerWatch {
  return new Watch(parts);
}

interface Question {
  readonly line: Line;
  /** null: the server is reachable. Never rejects. */
  readonly answer: Promise<Fault | null>;
  spent: number;
}

class Watch implements ServerWatch {
  away: Fault | null = null;
  private readonly parts: WatchParts;
  private readonly followers = new Set<(away: Fault | null) => void>();
  private line: Line | null = null;
  private question: Question | null = null;
  private looking: Promise<void> | null = null;
  private timer: TimerHandle | null = null;
  private heardAt = Number.NEGATIVE_INFINITY;
  private answers = 0;
  private isOpen = false;
  private isDoubtful = false;
  private stopWaiting = (): void => {};

  constructor(parts: WatchParts) {
    this.parts = parts;
  }

  get quietMs(): number {
    return this.parts.clock.mono() - this.heardAt;
  }

  start(): void {
    this.isOpen = true;
    this.lookSoon();
  }

  heard(): void {
    this.heardAt = this.parts.clock.mono();
    this.isDoubtful = false;
    this.answers += 1;
  }

  doubted(): void {
    this.isDoubtful = true;
    if (this.isOpen && this.away === null) this.lookSoon();
  }

  async look(): Promise<void> {
    const isFresh = !this.isDoubtful && this.quietMs < STEP_MS;
    if (this.away === null && !isFresh) await this.lookOnce();
    if (this.away !== null) throw new StoreError('unavailable', this.away.sentence);
  }

  subscribe(on: (away: Fault | null) => void): () => void {
    this.followers.add(on);
    return () => void this.followers.delete(on);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.stopTimer();
    this.stopWaiting();
    // A graceful close would wait for the pending response.
    if (this.question !== null) this.line?.cut();
    else await this.line?.close();
  }

  private lookSoon(): void {
    void this.lookOnce();
  }

  private lookOnce(): Promise<void> {
    this.looking ??= this.findOut().finally(() => {
      this.looking = null;
      this.again();
    });
    return this.looking;
  }

  private again(): void {
    if (!this.isOpen) return;
    this.stopTimer();
    const ms = this.away === null ? Math.max(SILENCE_MS - this.quietMs, STEP_MS) : AGAIN_MS;
    this.timer = this.parts.clock.setTimeout(() => {
      // Other responses make a check unnecessary.
      if (this.away === null && this.quietMs < SILENCE_MS) this.again();
      else this.lookSoon();
    }, ms);
  }

  private stopTimer(): void {
    if (this.timer !== null) this.parts.clock.clearTimeout(this.timer);
    this.timer = null;
  }

  private async findOut(): Promise<void> {
    this.question ??= this.ask();
    const found = await this.outcomeOf(this.question);
    if (!this.isOpen || found?.sentence === this.away?.sentence) return;
    this.away = found;
    for (const follower of this.followers) follower(found);
  }

  private ask(): Question {
    this.line ??= this.parts.openLine();
    const { line } = this;
    const question: Question = {
      line,
      spent: 0,
      answer: line.ask().then(
        () => {
          this.heard();
          this.end(question);
          return null;
        },
        (error: unknown) => {
          this.drop(line);
          this.end(question);
          return this.parts.faultOf(error);
        },
      ),
    };
    return question;
  }

  private end(question: Question): void {
    if (this.question === question) this.question = null;
  }

  private drop(line: Line): void {
    line.cut();
    if (this.line === line) this.line = null;
  }

  /** Result of a check at the end of its time limit. */
  private outcomeOf(question: Question): Promise<Fault | null> {
    const { clock, silent } = this.parts;
    const before = this.answers;
    const { line } = question;
    const patience = line.state === 'open' ? ANSWER_MS : CONNECT_MS;
    const limit = this.away === null ? patience : GIVE_UP_MS;
    return new Promise((resolve) => {
      let timer: TimerHandle;
      const done = (found: Fault | null): void => {
        clock.clearTimeout(timer);
        resolve(found);
      };
      const step = (): void => {
        if (line.state !== 'looking_up') question.spent += STEP_MS;
        if (question.spent >= GIVE_UP_MS) {
          this.drop(line);
          this.end(question);
        }
        // If other connections get responses, only this connection is silent.
        if (this.answers !== before && this.away === null) done(null);
        else if (question.spent >= limit) done(silent);
        else timer = clock.setTimeout(step, STEP_MS);
      };
      timer = clock.setTimeout(step, STEP_MS);
      this.stopWaiting = () => done(this.away);
      void question.answer.then(done);
    });
  }
}
