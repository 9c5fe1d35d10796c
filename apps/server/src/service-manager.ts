import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';

/** Connection to systemd for a service of `Type=notify`. */
export interface ManagerSettings {
  /** Value of `NOTIFY_SOCKET`. */
  readonly socket: string;
  /** Watchdog period in milliseconds; null: no watchdog. */
  readonly watchdogMs: number | null;
}

/** Sends notifications to the service manager, one at a time and in order. */
export interface ServiceManager {
  /** Reports that the service is ready; `status` is one line for `systemctl status`. */
  ready(status: string): void;
  /** Reports that the service is stopping, and when it will have stopped at the latest. */
  stopping(endsWithinMs: number): void;
  close(): void;
}

/** Sends assignments such as `READY=1`. */
export type Notify = (assignments: readonly string[]) => Promise<void>;

/**
 * Removes the variables of systemd from an environment, so that child processes do not inherit them. Returns null if they are
 * not set.
 */
export function takeManagerSettings(
  env: Record<string, string | undefined>,
  pid: number,
): ManagerSettings | null {
  const { NOTIFY_SOCKET: socket, WATCHDOG_PID: watched, WATCHDOG_USEC: limit } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_PID', 'WATCHDOG_USEC']) delete env[name];
  if (socket === undefined || socket === '') return null;
  const isWatched = Number(limit) > 0 && (watched === undefined || Number(watched) === pid);
  return { socket, watchdogMs: isWatched ? Number(limit) / 1000 : null };
}

const run = promisify(execFile);
// A program of systemd, because Node cannot send datagrams to a Unix socket.
const PROGRAM = '/usr/bin/systemd-notify';
const SEND_TIMEOUT_MS = 10_000;

/** Sends notifications with the program `systemd-notify`. */
export function createNotify({ socket }: ManagerSettings): Notify {
  return async (assignments) => {
    const env = { NOTIFY_SOCKET: socket };
    await run(PROGRAM, [...assignments], { env, timeout: SEND_TIMEOUT_MS });
  };
}

const MAX_INTERVAL_MS = 30_000;
// Extends the start between two reports, and the drain time of a stop.
const GRACE_MS = 60_000;

/** Dependencies of the service manager. */
export interface ServiceManagerParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly notify: Notify;
  /** Watchdog period in milliseconds; null: no watchdog. */
  readonly watchdogMs: number | null;
  /** Checked before each watchdog notification, which is sent only if it returns true. */
  readonly isHealthy: () => Promise<boolean>;
}

/**
 * Creates a service manager. Every 30 seconds, and at least three times in a watchdog period, it extends the start timeout, or,
 * once the service is ready, notifies the watchdog.
 */
export function createServiceManager(parts: ServiceManagerParts): ServiceManager {
  const { clock, logger, watchdogMs, isHealthy } = parts;
  const intervalMs = Math.min(MAX_INTERVAL_MS, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let sent = Promise.resolve();
  let fails = false;
  const send = (...assignments: string[]): void => {
    sent = sent.then(async () => {
      try {
        await parts.notify(assignments);
        fails = false;
      } catch (error) {
        if (!fails) logger.warn({ error: messageOf(error) }, 'systemd was not notified');
        fails = true;
      }
    });
  };
  const report = async (): Promise<void> => {
    if (state === 'starting') send(extend(GRACE_MS));
    else if (state === 'ready' && watchdogMs !== null) {
      if (await isHealthy()) send('WATCHDOG=1');
      else logger.error({}, 'not accepting connections, watchdog not notified');
    }
    if (state !== 'stopping') timer = later();
  };
  const later = (): TimerHandle => clock.setTimeout(() => void report(), intervalMs);
  let timer = later();
  const close = (): void => {
    state = 'stopping';
    clock.clearTimeout(timer);
  };
  return {
    ready(status) {
      if (state === 'stopping') return;
      state = 'ready';
      send('READY=1', `STATUS=${status.replace(/\s+/g, ' ')}`);
    },
    stopping(endsWithinMs) {
      close();
      send('STOPPING=1', 'STATUS=Stopping', extend(endsWithinMs + GRACE_MS));
    },
    close,
  };
}

/** Health check for the watchdog. */
export interface Health {
  /** Sets the liveness check of the listener. */
  follow(front: { isLive(): boolean }): void;
  /** Whether the event loop runs and connections are accepted. True before `follow`. */
  isHealthy(): Promise<boolean>;
}

/**
 * Creates the health check. It opens no connection, which the connection limits could reject; a request to `/livez` would check
 * nothing in addition.
 */
export function createHealth(): Health {
  let isLive = (): boolean => true;
  return {
    follow(front) {
      isLive = () => front.isLive();
    },
    async isHealthy() {
      await new Promise<void>((resolve) => setImmediate(resolve));
      return isLive();
    },
  };
}

const extend = (ms: number): string => `EXTEND_TIMEOUT_USEC=${Math.ceil(ms * 1000)}`;
