import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { TurnId } from '@svc/records';
import type { HeardSignal, Signal } from '../cluster/signals.ts';
import type { Store } from '../store.ts';
import type { TurnTicket } from './fair-queue.ts';
import type { TurnLimits, TurnQueue } from './queue.ts';
import { createRunningTurns, type QueueDeps, type Work } from './running-turns.ts';

/** How a wish to stop a turn is told to another process. */
export interface StopWords {
  /** A reason as it is sent. */
  told(reason: unknown): Signal;
  /** The reason that was sent. */
  heard(signal: Signal): unknown;
  /** The reason where only the database tells, by whom. */
  asked(by: string | null): unknown;
}

/** What the queue of one of several processes works with. */
export interface SharedQueueDeps extends QueueDeps {
  readonly store: {
    readonly turns: Pick<
      Store['turns'],
      'take' | 'taken' | 'takeOut' | 'putBack' | 'unwanted' | 'waiting'
    >;
    readonly signals: Store['signals'];
    readonly nodeId: string;
  };
  readonly stops: StopWords;
}

// Whatever nobody was told of is found by then.
const LOOK_MS = 2000;
// So long whoever has taken a turn out may take to end it.
const OUT_MS = 60_000;

const WAITS = 'turn.waits';
const STOP = 'turn.stop';

/**
 * Makes the queue of one of several processes that share a database: the `turn` rows are the queue, so that a turn that is
 * durable is in it, and each turn is taken by one process. `concurrent` is the limit of this process, `perProject` that of
 * all of them together.
 */
export function createSharedTurnQueue(deps: SharedQueueDeps, limits: TurnLimits): TurnQueue {
  return new SharedTurnQueue(deps, limits);
}

class SharedTurnQueue implements TurnQueue {
  private readonly deps: SharedQueueDeps;
  private readonly limits: TurnLimits;
  private readonly turns: ReturnType<typeof createRunningTurns>;
  private run: Work | null = null;
  private taking: Promise<void> | null = null;
  private isRung = false;
  private timer: TimerHandle | null = null;
  private known = 0;
  /** Turns that were taken out to be ended, and when. */
  private readonly out = new Map<TurnId, number>();
  private isAway = false;
  private isHeld = false;
  private stopHearing = (): void => {};

  constructor(deps: SharedQueueDeps, limits: TurnLimits) {
    this.deps = deps;
    this.limits = limits;
    this.turns = createRunningTurns(deps);
  }

  get running(): number {
    return this.turns.size;
  }

  get waiting(): number {
    return this.known;
  }

  work(run: Work): void {
    this.run = run;
    this.stopHearing = this.deps.store.signals.subscribe((heard) => this.hear(heard));
    this.ring();
  }

  add(_ticket: TurnTicket): void {
    this.known += 1;
    this.ring();
    this.deps.store.signals.send({ kind: WAITS });
  }

  async cancel(id: TurnId, reason: unknown): Promise<'removed' | 'signalled' | 'unknown'> {
    if (this.turns.abort(id, reason)) return 'signalled';
    const { turns, nodeId, signals } = this.deps.store;
    this.out.set(id, this.deps.clock.mono());
    if (await turns.takeOut(nodeId, id)) return 'removed';
    this.out.delete(id);
    // It may have got its place here in the meantime.
    if (this.turns.abort(id, reason)) return 'signalled';
    signals.send({ ...this.deps.stops.told(reason), kind: STOP, turn: id });
    return 'unknown';
  }

  runs(id: TurnId): boolean {
    return this.turns.has(id);
  }

  interrupt(reason: unknown): void {
    this.isHeld = true;
    this.turns.abortAll(reason);
  }

  goOn(): void {
    this.isHeld = false;
    this.ring();
  }

  async close(drainMs: number, reason: unknown): Promise<void> {
    this.run = null;
    if (this.timer !== null) this.deps.clock.clearTimeout(this.timer);
    await this.taking;
    // Until the last one has ended somebody may want it stopped.
    await this.turns.drain(drainMs, reason);
    this.stopHearing();
  }

  private ring(): void {
    if (this.run === null) return;
    this.isRung = true;
    this.taking ??= this.takeAll().finally(() => {
      this.taking = null;
      // It was rung for once more when all was taken.
      if (this.isRung && !this.isAway) this.ring();
    });
  }

  private async takeAll(): Promise<void> {
    const { clock, logger, store } = this.deps;
    try {
      await this.settle();
      while (this.isRung) {
        this.isRung = false;
        while (await this.takeOne()) this.known = Math.max(this.known - 1, 0);
        this.known = await store.turns.waiting();
      }
      this.isAway = false;
    } catch (error) {
      // The next look tries again, and tells no more of it.
      if (!this.isAway) {
        logger[failureLevel(error, 'warn')](
          { error: messageOf(error) },
          'cannot read queued turns',
        );
      }
      this.isAway = true;
    }
    if (this.timer !== null) clock.clearTimeout(this.timer);
    this.timer = this.run === null ? null : clock.setTimeout(() => this.ring(), LOOK_MS);
  }

  /** Makes good what was not heard: of wishes to stop turns, and of turns that were taken although nobody could say so. */
  private async settle(): Promise<void> {
    const { clock, store, stops } = this.deps;
    const running = this.turns.tickets().map(({ id }) => id);
    for (const { id, by } of await store.turns.unwanted(running)) {
      this.turns.abort(id, stops.asked(by));
    }
    const now = clock.mono();
    for (const [id, since] of this.out) if (now - since > OUT_MS) this.out.delete(id);
    const taken = await store.turns.taken(store.nodeId);
    const here = new Set([...this.turns.tickets().map(({ id }) => id), ...this.out.keys()]);
    for (const id of taken) {
      // One that runs here may just be starting.
      if (!here.has(id)) await store.turns.putBack(store.nodeId, id);
    }
  }

  private async takeOne(): Promise<boolean> {
    const { turns, nodeId, signals } = this.deps.store;
    const isFull = this.turns.size >= this.limits.concurrent;
    if (this.run === null || this.isHeld || isFull) return false;
    const ticket = await turns.take(nodeId, this.limits.perProject);
    if (ticket === null) return false;
    if (this.run === null || this.isHeld) {
      await turns.putBack(nodeId, ticket.id);
      signals.send({ kind: WAITS });
      return false;
    }
    this.turns.start(ticket, this.run, () => {
      this.ring();
      // Its project has a place again, which another process may fill.
      signals.send({ kind: WAITS });
    });
    return true;
  }

  private hear(heard: HeardSignal): void {
    if (heard === 'missed' || heard['kind'] === WAITS) {
      this.ring();
      return;
    }
    const { turn } = heard;
    if (heard['kind'] === STOP && typeof turn === 'string') {
      this.turns.abort(turn, this.deps.stops.heard(heard));
    }
  }
}
