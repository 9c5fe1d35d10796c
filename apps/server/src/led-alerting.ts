import { failureLevel, type Logger, messageOf } from '@svc/core';
import type { AlertPort } from '@svc/ops';
import type { HeardSignal, Signals } from '@svc/store';
import type { Alerting } from './alerting.ts';

/** Leadership among several processes: only the leader delivers alerts. */
export interface Lead {
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
export function createLedAlerting(
  create: () => Alerting,
  lead: Lead,
  logger: Pick<Logger, 'error' | 'debug'>,
): Alerting {
  let current = create();
  let isWanted = false;
  let isTelling = false;
  let stopHearing = (): void => {};
  let line: Promise<void> = Promise.resolve();
  const follow = async (): Promise<void> => {
    const tells = isWanted && lead.leads();
    if (tells === isTelling) return;
    isTelling = tells;
    if (tells) await current.start();
    else {
      const before = current;
      current = create();
      await before.close();
    }
  };
  const hear = (heard: HeardSignal): void => {
    if (heard === 'missed') return;
    if (heard['kind'] === HAPPENED) current.happened();
    if (heard['kind'] !== TRIED) return;
    current.tried().catch((error: unknown) => {
      logger[failureLevel(error, 'error')](
        { error: messageOf(error) },
        'cannot read state of tested sink',
      );
    });
  };
  const look = (): void => {
    line = line.then(follow).catch((error: unknown) => {
      isTelling = false;
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
            () => lead.signals.send({ kind: TRIED }),
          ),
    async start() {
      isWanted = true;
      lead.onLead(look);
      // A missed signal delays an alert by at most half a minute, the polling interval of alerting.
      stopHearing = lead.signals.subscribe(hear);
      look();
      await line;
    },
    happened() {
      if (isTelling) current.happened();
      else lead.signals.send({ kind: HAPPENED });
    },
    tried: () => current.tried(),
    waiting: () => current.waiting(),
    async close() {
      isWanted = false;
      stopHearing();
      await line;
      await current.close();
    },
  };
}

function portTo(now: () => AlertPort | null, tellTried: () => void): AlertPort {
  const port = (): AlertPort => {
    const found = now();
    if (found === null) throw new TypeError('Alerts keep their port.');
    return found;
  };
  return {
    standing: () => port().standing(),
    async test(id) {
      const tried = await port().test(id);
      tellTried();
      return tried;
    },
  };
}
