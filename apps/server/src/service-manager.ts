import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';

/** How systemd is notified by a service of `Type=notify`. */
export interface ManagerSettings {
  /** `NOTIFY_SOCKET`. */
  readonly socket: string;
  /** Milliseconds within which the service must report again once it is ready; null: it is not watched. */
  readonly watchdogMs: number | null;
}

/** Notifies what has started the service. Messages are sent in order, one at a time. */
export interface ServiceManager {
  /** Reports that the service answers; `status` is one line for `systemctl status`. */
  ready(status: string): void;
  /** Reports that the service ends within some milliseconds. */
  stopping(endsWithinMs: number): void;
  close(): void;
}

/** What notifies with assignments such as `READY=1`. */
export type Notify = (assignments: readonly string[]) => Promise<void>;

/** Removes the settings of systemd from an environment, so that no program that svc starts gets them; null: there are none. */
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
// Of systemd itself: Node cannot send to its socket.
const PROGRAM = '/usr/bin/systemd-notify';
const LONGEST_SEND_MS = 10_000;

/** Notifies by the program `systemd-notify`. */
export function createNotify({ socket }: ManagerSettings): Notify {
  return async (assignments) => {
    const env = { NOTIFY_SOCKET: socket };
    await run(PROGRAM, [...assignments], { env, timeout: LONGEST_SEND_MS });
  };
}

const LONGEST_PAUSE_MS = 30_000;
// Beyond the last report of a start, and the drain time of a stop.
const GRACE_MS = 60_000;

/** What a service manager is made of. */
export interface ServiceManagerParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly notify: Notify;
  /** Milliseconds; null: no watchdog. */
  readonly watchdogMs: number | null;
  /** Whether the service works; the watchdog is notified only if it does. */
  readonly isHealthy: () => Promise<boolean>;
}

/**
 * Reports at least three times in the period of the watchdog, and every 30 seconds: a start asks for more time until it is
 * ready, a service that is ready notifies the watchdog while it is healthy.
 */
export function createServiceManager(parts: ServiceManagerParts): ServiceManager {
  const { clock, logger, watchdogMs, isHealthy } = parts;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
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
  const later = (): TimerHandle => clock.setTimeout(() => void report(), pauseMs);
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

/** The health of a service, for its watchdog. */
export interface Health {
  /** Follows what knows whether the service accepts connections. */
  follow(front: { isLive(): boolean }): void;
  /** Whether the event loop turns and connections are accepted; true before there is something to follow. */
  isHealthy(): Promise<boolean>;
}

/**
 * Makes the health of a service, which is checked without a connection: one more could be refused by the limits that
 * bound what others send. `/livez` answers 200 wherever the process answers, so there is nothing else to ask.
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
