import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { TurnId } from '@svc/records';
import type { HeardSignal, Signal } from '../cluster/signals.ts';
import type { Store } from '../store.ts';
import type { TurnTicket } from './fair-queue.ts';
import type { TurnLimits, TurnQueue } from './queue.ts';
import { createRunningTurns, type QueueDeps, type Work } from './running-turns.ts';

/** Encodes requests to stop a turn for other servers. */
export interface StopCodec {
  /** Encodes a reason. */
  encode(reason: unknown): Signal;
  /** Decodes a reason. */
  decode(signal: Signal): unknown;
  /** The reason if only the database has the request, and who made it. */
  requestedBy(by: string | null): unknown;
}

/** Dependencies of the queue of a server in a cluster. */
export interface SharedQueueDeps extends QueueDeps {
  readonly store: {
    readonly turns: Pick<
      Store['turns'],
      'take' | 'taken' | 'takeOut' | 'putBack' | 'unwanted' | 'waiting'
    >;
    readonly signals: Store['signals'];
    readonly nodeId: string;
  };
  readonly stops: StopCodec;
}

// Missed signals are found within this time.
const LOOK_MS = 2000;
// Time limit for ending a turn that was taken out.
const OUT_MS = 60_000;

const WAITS = 'turn.waits';
const STOP = 'turn.stop';

/**
 * Creates the queue of a server that shares its database. The `turn` rows are the queue, so that every stored turn is
 * in it, and each turn is taken by one server. `concurrent` is the limit of this server, `perProject` that of all
 * servers together.
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
    // It may have started here in the meantime.
    if (this.turns.abort(id, reason)) return 'signalled';
    signals.send({ ...this.deps.stops.encode(reason), kind: STOP, turn: id });
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
    // Requests to stop running turns must still be received while the last ones end.
    await this.turns.drain(drainMs, reason);
    this.stopHearing();
  }

  private ring(): void {
    if (this.run === null) return;
    this.isRung = true;
    this.taking ??= this.takeAll().finally(() => {
      this.taking = null;
      // It was woken again after all turns were taken.
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
      // The next check tries again without logging.
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

  /**
   * Recovers from missed signals and lost responses: requests to stop turns, and turns that were taken without this
   * server knowing.
   */
  private async settle(): Promise<void> {
    const { clock, store, stops } = this.deps;
    const running = this.turns.tickets().map(({ id }) => id);
    for (const { id, by } of await store.turns.unwanted(running)) {
      this.turns.abort(id, stops.requestedBy(by));
    }
    const now = clock.mono();
    for (const [id, since] of this.out) if (now - since > OUT_MS) this.out.delete(id);
    const taken = await store.turns.taken(store.nodeId);
    const here = new Set([...this.turns.tickets().map(({ id }) => id), ...this.out.keys()]);
    for (const id of taken) {
      // A turn that is running here may just be starting.
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
      // Its project has capacity again, which another server may use.
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
      this.turns.abort(turn, this.deps.stops.decode(heard));
    }
  }
}
