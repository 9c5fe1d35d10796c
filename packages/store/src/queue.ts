import type { Clock, Logger } from '@svc/core';
import { messageOf } from '@svc/core';
import type { TurnId } from '@svc/records';
import { createFairQueue, type TurnTicket } from './fair-queue.ts';

/** How many turns may run at a time, in the whole instance and in one project; both at least 1. */
export interface TurnLimits {
  readonly concurrent: number;
  readonly perProject: number;
}

/**
 * The queue of turns: first come, first served within a project, never two turns of one session at a time. It holds
 * ids only; the truth is in the `turn` rows, so `add` comes after they are durable.
 */
export interface TurnQueue {
  /** Starts working: `run` is called for each turn that gets a place and must not reject. */
  work(run: (id: TurnId, signal: AbortSignal) => Promise<void>): void;
  add(ticket: TurnTicket): void;
  /**
   * Takes a waiting turn out (`removed`), or aborts a running one with `reason` (`signalled`); `unknown` when it is
   * neither.
   */
  cancel(id: TurnId, reason: unknown): 'removed' | 'signalled' | 'unknown';
  readonly waiting: number;
  readonly running: number;
  /**
   * Starts nothing more, waits up to `drainMs` for running turns, then aborts the rest with `reason` and waits for
   * their ends.
   */
  close(drainMs: number, reason: unknown): Promise<void>;
}

interface Running {
  readonly ticket: TurnTicket;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

type Work = (id: TurnId, signal: AbortSignal) => Promise<void>;

/** Makes the queue of one process. */
export function createTurnQueue(
  deps: { readonly clock: Clock; readonly logger: Logger },
  limits: TurnLimits,
): TurnQueue {
  const lines = createFairQueue();
  const running = new Map<TurnId, Running>();
  let work: Work | null = null;
  const among = (test: (ticket: TurnTicket) => boolean): number =>
    [...running.values()].filter((one) => test(one.ticket)).length;
  const free = {
    project: (slug: string) => among((ticket) => ticket.project === slug) < limits.perProject,
    session: (id: string) => among((ticket) => ticket.sessionId === id) === 0,
  };
  const pump = (): void => {
    while (work !== null && running.size < limits.concurrent) {
      const ticket = lines.take(free);
      if (ticket === null) return;
      start(ticket, work);
    }
  };
  const start = (ticket: TurnTicket, run: Work): void => {
    const abort = new AbortController();
    const done = run(ticket.id, abort.signal)
      .catch((error: unknown) => {
        const fields = { turnId: ticket.id, error: messageOf(error) };
        deps.logger.error(fields, 'a turn was not recorded');
      })
      .finally(() => {
        running.delete(ticket.id);
        pump();
      });
    running.set(ticket.id, { ticket, abort, done });
  };
  return {
    work(run) {
      work = run;
      pump();
    },
    add(ticket) {
      lines.add(ticket);
      pump();
    },
    cancel(id, reason) {
      if (lines.remove(id)) return 'removed';
      const one = running.get(id);
      one?.abort.abort(reason);
      return one === undefined ? 'unknown' : 'signalled';
    },
    get waiting() {
      return lines.size;
    },
    get running() {
      return running.size;
    },
    async close(drainMs, reason) {
      work = null;
      const ends = Promise.all([...running.values()].map((one) => one.done));
      if (drainMs > 0) await passed(deps.clock, drainMs, ends);
      for (const one of running.values()) one.abort.abort(reason);
      await ends;
    },
  };
}

// Resolves after `ms`, or when `unless` does, and leaves no timer behind.
async function passed(clock: Clock, ms: number, unless: Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    void unless.then(() => {
      clock.clearTimeout(timer);
      resolve();
    });
  });
}
