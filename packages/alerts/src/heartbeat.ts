import type { Clock, Logger, TimerHandle } from '@svc/core';
import type { LastTry, Sent } from './ports.ts';

/** Pings a monitor that notifies people when the pings stop. */
export interface Heartbeat {
  /** Sends a ping, unless one was sent recently. */
  beat(): void;
  readonly last: LastTry | null;
  close(): Promise<void>;
}

export interface HeartbeatOptions {
  /** Minimum time between pings in milliseconds; 0 means a ping for each beat. */
  readonly everyMs: number;
}

export interface HeartbeatDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Sends one ping. Never rejects; the error contains no secrets. */
  readonly ping: (signal: AbortSignal) => Promise<Sent>;
}

const PAUSES_MS = [5000, 60_000, 300_000];

/** Creates a heartbeat. A failed ping is retried three times within the next six minutes. */
export function createHeartbeat(deps: HeartbeatDeps, { everyMs }: HeartbeatOptions): Heartbeat {
  const { clock, logger, ping } = deps;
  const stop = new AbortController();
  let last: LastTry | null = null;
  let beaten = Number.NEGATIVE_INFINITY;
  let working: Promise<void> | null = null;
  let timer: TimerHandle | null = null;
  let wake: (() => void) | null = null;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      timer = clock.setTimeout(resolve, ms);
    });
  const tryOnce = async (): Promise<boolean> => {
    const sent = await ping(stop.signal);
    if (stop.signal.aborted) return true;
    const error = sent.ok ? null : sent.error;
    if (!sent.ok && last?.ok !== false) logger.warn({ error }, 'heartbeat failing');
    if (sent.ok && last?.ok === false) logger.info({}, 'heartbeat recovered');
    last = { at: clock.now(), ok: sent.ok, error };
    return sent.ok;
  };
  const work = async (): Promise<void> => {
    if (await tryOnce()) return;
    for (const ms of PAUSES_MS) {
      await pause(ms);
      if (stop.signal.aborted || (await tryOnce())) return;
    }
  };
  return {
    beat() {
      if (working !== null || stop.signal.aborted || clock.mono() - beaten < everyMs) return;
      beaten = clock.mono();
      working = work().finally(() => {
        working = null;
      });
    },
    get last() {
      return last;
    },
    async close() {
      stop.abort();
      if (timer !== null) clock.clearTimeout(timer);
      wake?.();
      await working;
    },
  };
}
