import type { TurnId } from '@svc/records';
import { createFairQueue, type TurnTicket } from './fair-queue.ts';
import { createRunningTurns, type QueueDeps, type Work } from './running-turns.ts';

/** Maximum numbers of running turns, in the instance and per project; at least 1. */
export interface TurnLimits {
  readonly concurrent: number;
  readonly perProject: number;
}

/**
 * The queue of turns: first in, first out within a project, and never two turns of one session at a time. It holds only
 * ids; the `turn` rows are authoritative, so `add` follows their commit.
 */
export interface TurnQueue {
  /** Starts working: `run` is called for each turn that gets capacity, and must not reject. */
  work(run: (id: TurnId, signal: AbortSignal) => Promise<void>): void;
  add(ticket: TurnTicket): void;
  /** Removes a queued turn (`removed`), or aborts a running one with `reason` (`signalled`); `unknown` if it is neither. */
  cancel(id: TurnId, reason: unknown): Promise<'removed' | 'signalled' | 'unknown'>;
  /** Whether this process is running a turn. */
  runs(id: TurnId): boolean;
  /** Aborts every turn that this process is running, with `reason`, and starts none until `goOn`. */
  interrupt(reason: unknown): void;
  goOn(): void;
  /** Number of queued turns. */
  readonly waiting: number;
  /** Number of turns that this process is running. */
  readonly running: number;
  /**
   * Starts no more turns, waits up to `drainMs` for running turns, then aborts the rest with `reason` and waits until
   * they end.
   */
  close(drainMs: number, reason: unknown): Promise<void>;
}

/** Creates the queue of a process with an embedded database. */
export function createTurnQueue(deps: QueueDeps, limits: TurnLimits): TurnQueue {
  const lines = createFairQueue();
  const running = createRunningTurns(deps);
  let work: Work | null = null;
  let isHeld = false;
  const among = (test: (ticket: TurnTicket) => boolean): number =>
    running.tickets().filter(test).length;
  const free = {
    project: (slug: string) => among((ticket) => ticket.project === slug) < limits.perProject,
    session: (id: string) => among((ticket) => ticket.sessionId === id) === 0,
  };
  const pump = (): void => {
    while (work !== null && !isHeld && running.size < limits.concurrent) {
      const ticket = lines.take(free);
      if (ticket === null) return;
      running.start(ticket, work, pump);
    }
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
    async cancel(id, reason) {
      if (lines.remove(id)) return 'removed';
      return running.abort(id, reason) ? 'signalled' : 'unknown';
    },
    runs: running.has,
    interrupt(reason) {
      isHeld = true;
      running.abortAll(reason);
    },
    goOn() {
      isHeld = false;
      pump();
    },
    get waiting() {
      return lines.size;
    },
    get running() {
      return running.size;
    },
    close(drainMs, reason) {
      work = null;
      return running.drain(drainMs, reason);
    },
  };
}
