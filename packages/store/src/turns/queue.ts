import type { TurnId } from '@svc/records';
import { createFairQueue, type TurnTicket } from './fair-queue.ts';
import { createRunningTurns, type QueueDeps, type Work } from './running-turns.ts';

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
  cancel(id: TurnId, reason: unknown): Promise<'removed' | 'signalled' | 'unknown'>;
  /** Whether this process runs a turn. */
  runs(id: TurnId): boolean;
  /** Aborts every turn that this process runs, with `reason`, and starts none until `goOn`. */
  interrupt(reason: unknown): void;
  goOn(): void;
  /** How many turns wait. */
  readonly waiting: number;
  /** How many turns this process runs. */
  readonly running: number;
  /**
   * Starts nothing more, waits up to `drainMs` for running turns, then aborts the rest with `reason` and waits for
   * their ends.
   */
  close(drainMs: number, reason: unknown): Promise<void>;
}

/** Makes the queue of a process that has its database for itself. */
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
