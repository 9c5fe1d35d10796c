import { type Clock, type Logger, messageOf } from '@svc/core';
import type { TurnId } from '@svc/records';
import type { TurnTicket } from './fair-queue.ts';

/** Dependencies of a queue of turns. */
export interface QueueDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Runs a turn to its end; must not reject. */
export type Work = (id: TurnId, signal: AbortSignal) => Promise<void>;

/** The turns that this process is running. */
export interface RunningTurns {
  readonly size: number;
  tickets(): TurnTicket[];
  has(id: TurnId): boolean;
  /** Runs a turn; `onEnd` is called when it has released its capacity. */
  start(ticket: TurnTicket, run: Work, onEnd: () => void): void;
  /** Aborts a turn with a reason; false if it is not running here. */
  abort(id: TurnId, reason: unknown): boolean;
  abortAll(reason: unknown): void;
  /** Waits up to `ms` for running turns, then aborts the rest with `reason` and waits until they end. */
  drain(ms: number, reason: unknown): Promise<void>;
}

interface Running {
  readonly ticket: TurnTicket;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export function createRunningTurns({ clock, logger }: QueueDeps): RunningTurns {
  const running = new Map<TurnId, Running>();
  const abortAll = (reason: unknown): void => {
    for (const one of running.values()) one.abort.abort(reason);
  };
  return {
    get size() {
      return running.size;
    },
    has: (id) => running.has(id),
    tickets: () => [...running.values()].map(({ ticket }) => ticket),
    start(ticket, run, onEnd) {
      const abort = new AbortController();
      const done = run(ticket.id, abort.signal)
        .catch((error: unknown) => {
          const fields = { turnId: ticket.id, error: messageOf(error) };
          logger.error(fields, 'cannot record turn');
        })
        .finally(() => {
          running.delete(ticket.id);
          onEnd();
        });
      running.set(ticket.id, { ticket, abort, done });
    },
    abort(id, reason) {
      const one = running.get(id);
      one?.abort.abort(reason);
      return one !== undefined;
    },
    abortAll,
    async drain(ms, reason) {
      const ends = Promise.all([...running.values()].map((one) => one.done));
      if (ms > 0) await passed(clock, ms, ends);
      abortAll(reason);
      await ends;
    },
  };
}

// Resolves after `ms`, or when `unless` does, and clears the timer.
async function passed(clock: Clock, ms: number, unless: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    void unless.then(() => {
      clock.clearTimeout(timer);
      resolve();
    });
  });
}
