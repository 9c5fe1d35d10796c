import { failureLevel, type Logger, messageOf } from '@svc/core';
import type { AlertPort } from '@svc/ops';
import type { HeardSignal, Signals } from '@svc/store';
import type { Alerting } from './alerting.ts';

/** Leadership among several processes: only the leader delivers alerts. */
export interface Leadership {
  /** Notifies the other processes. */
  readonly signals: Signals;
  /** Whether this process is the leader. */
  leads(): boolean;
  /** Registers a callback for possible changes of leadership. */
  onLead(on: () => void): void;
}

const HAPPENED = 'alerts.happened';
const TRIED = 'alerts.tried';

/** Alerting for one of several processes that share a database: active only while this process is the leader. */
export function createLeaderAlerting(
  create: () => Alerting,
  leadership: Leadership,
  logger: Pick<Logger, 'error' | 'debug'>,
): Alerting {
  let current = create();
  let isStarted = false;
  let isActive = false;
  let unsubscribe = (): void => {};
  let queue: Promise<void> = Promise.resolve();
  const follow = async (): Promise<void> => {
    const isLeader = isStarted && leadership.leads();
    if (isLeader === isActive) return;
    isActive = isLeader;
    if (isLeader) await current.start();
    else {
      const before = current;
      current = create();
      await before.close();
    }
  };
  const onSignal = (signal: HeardSignal): void => {
    if (signal === 'missed') return;
    if (signal['kind'] === HAPPENED) current.happened();
    if (signal['kind'] !== TRIED) return;
    current.tried().catch((error: unknown) => {
      logger[failureLevel(error, 'error')](
        { error: messageOf(error) },
        'cannot read state of tested sink',
      );
    });
  };
  const update = (): void => {
    queue = queue.then(follow).catch((error: unknown) => {
      isActive = false;
      logger[failureLevel(error, 'error')](
        { error: messageOf(error) },
        'cannot take over alert delivery',
      );
    });
  };
  return {
    port:
      current.port === null
        ? null
        : portTo(
            () => current.port,
            () => leadership.signals.send({ kind: TRIED }),
          ),
    async start() {
      isStarted = true;
      leadership.onLead(update);
      // A missed signal delays an alert by at most half a minute, the polling interval of alerting.
      unsubscribe = leadership.signals.subscribe(onSignal);
      update();
      await queue;
    },
    happened() {
      if (isActive) current.happened();
      else leadership.signals.send({ kind: HAPPENED });
    },
    tried: () => current.tried(),
    waiting: () => current.waiting(),
    async close() {
      isStarted = false;
      unsubscribe();
      await queue;
      await current.close();
    },
  };
}

function portTo(now: () => AlertPort | null, announceTest: () => void): AlertPort {
  const port = (): AlertPort => {
    const found = now();
    if (found === null) throw new TypeError('Alerts keep their port.');
    return found;
  };
  return {
    standing: () => port().standing(),
    async test(id) {
      const tried = await port().test(id);
      announceTest();
      return tried;
    },
  };
}
