import type { Clock, TimerHandle } from '@svc/core';
import type { Fault } from '../database/health.ts';
import { StoreError } from '../errors.ts';

/** How long nothing may be heard before the server is asked. */
const SILENCE_MS = 750;
/** How long a server may take to answer, and to let somebody in. */
const ANSWER_MS = 2000;
const CONNECT_MS = 3000;
/** Steps in which patience is spent: a process that stands still spends one, however long it does. */
const STEP_MS = 250;
/** A connection that was not answered for so long is given up for another one. */
const GIVE_UP_MS = 5000;
const AGAIN_MS = 500;

/** A connection of its own to ask a server over. */
export interface Line {
  /** `looking_up` while a name server is waited for, who is not the one that is watched. */
  readonly state: 'looking_up' | 'connecting' | 'open';
  /** Asks for a sign of life, over a new connection the first time. Rejects with what the driver or the server says. */
  ask(): Promise<void>;
  /** Ends it as soon as the server takes leave. Never rejects. */
  close(): Promise<void>;
  /** Ends it at once. */
  cut(): void;
}

/** Whether a server of a database answers. */
export interface ServerWatch {
  /** Why it does not; null while it does, as far as anybody knows. */
  readonly away: Fault | null;
  /** For how many milliseconds nothing has been heard. */
  readonly quietMs: number;
  /** Begins to ask. */
  start(): void;
  /** Something was answered. */
  heard(): void;
  /** A connection broke: it is asked at once. */
  doubted(): void;
  /** Resolves once it answers, or has done so just now; rejects with `unavailable` after 3 s at most, while it is away at once. */
  look(): Promise<void>;
  /** Calls back when it goes away, for another reason than before, and when it is back. Returns how to stop. */
  subscribe(on: (away: Fault | null) => void): () => void;
  close(): Promise<void>;
}

/** What a watch works with. */
export interface WatchParts {
  readonly clock: Clock;
  openLine(): Line;
  /** What an error of a line says about the server; null for one that only a server that is there can give. */
  faultOf(error: unknown): Fault | null;
  /** What it is called when it says nothing at all. */
  readonly silent: Fault;
}

/**
 * Watches over a server with a connection that nothing else uses, so that one that is busy is told from one that is away: a
 * server counts as away where it refuses connections, or says nothing to anybody for seconds.
 */
export function createServerWatch(parts: WatchParts): ServerWatch {
  return new Watch(parts);
}

interface Question {
  readonly line: Line;
  /** Null: it is there. Never rejects. */
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
    // Nobody takes leave who owes an answer.
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
      // Whoever is answered needs not ask.
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

  /** What comes of a question, as far as it is known when patience is at its end. */
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
        // Where others are answered, it is the connection that is silent.
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
