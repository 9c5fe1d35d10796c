import {
  type Alerts,
  type AlertsDeps,
  createAlerts,
  createCommandSink,
  createHeartbeat,
  createHttpSink,
  createPing,
  type Heartbeat,
  isWebhookSecret,
  type LastTry,
  type RuledSink,
  type Sink,
} from '@svc/alerts';
import {
  type Clock,
  createRedactor,
  isoTime,
  type Logger,
  redactingLogger,
  shownOrigin,
} from '@svc/core';
import type { AlertPort, AlertTry } from '@svc/ops';
import { durationText, type NotifySettings, type SinkSettings } from '@svc/settings';
import type { Store } from '@svc/store';
import type { Home } from './home.ts';
import type { Keys } from './keys.ts';

/** Sends alerts as configured. */
export interface Alerting {
  /** For the operations; null without sinks. */
  readonly port: AlertPort | null;
  /** Starts; without sinks, ended runs are not recorded for later alerts. */
  start(): Promise<void>;
  happened(): void;
  /** Records that another process has sent test alerts. */
  tried(): Promise<void>;
  /** Number of pending alerts. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export interface AlertingParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly home: Pick<Home, 'root'>;
  readonly notify: NotifySettings;
  readonly keys: Keys;
  /** The whole environment of commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly store: Pick<Store, 'alerts'>;
  readonly trouble: NonNullable<AlertsDeps['trouble']>;
  readonly onTried?: AlertsDeps['onTried'];
}

/** Connects sinks and heartbeat with the store. */
export function createAlerting(parts: AlertingParts): Alerting {
  const { clock, notify, keys, store } = parts;
  if (Object.keys(notify.sinks).length === 0 && notify.heartbeat === null)
    return disabledAlerting(store);
  const redactor = createRedactor(() => keys.secrets);
  const logger = redactingLogger(parts.logger, redactor);
  const heartbeat = heartbeatOf(clock, logger, notify);
  const { trouble, onTried } = parts;
  const alerts = createAlerts(
    {
      ...{ clock, logger, trouble, store: store.alerts },
      redact: (text) => redactor.text(text),
      ...(heartbeat === null ? {} : { heartbeat }),
      ...(onTried === undefined ? {} : { onTried }),
    },
    new Map(Object.entries(notify.sinks).map(([id, own]) => [id, ruledSink(parts, own)])),
  );
  return {
    port: portOf(parts, alerts, heartbeat),
    async start() {
      for (const [sink, own] of Object.entries(notify.sinks)) {
        const error = problemOf(own, keys);
        if (error !== null) logger.warn({ sink, error }, 'alert sink not usable');
      }
      await alerts.start();
    },
    happened: alerts.happened,
    tried: alerts.tried,
    async waiting() {
      const standing = [...(await alerts.standing()).values()];
      return standing.reduce((total, { waiting }) => total + waiting, 0);
    },
    close: alerts.close,
  };
}

/** Why a sink cannot be used, and how to fix it; null if it can. */
export function problemOf(own: SinkSettings, keys: Pick<Keys, 'of'>): string | null {
  if (own.kind === 'command') return null;
  const secret = keys.of(own.variable);
  if (secret === null) {
    return `Its secret is missing. Export ${own.variable} and restart svc.`;
  }
  return isWebhookSecret(secret)
    ? null
    : `Its secret is invalid: ${own.variable} must be whsec_ followed by 24 to 64 bytes in Base64 (Standard Webhooks).`;
}

/** The target of a sink, without parts of the address that may be secret. */
export function shownTarget(own: SinkSettings): string {
  return own.kind === 'command' ? own.command : shownOrigin(own.url);
}

function disabledAlerting({ alerts }: Pick<Store, 'alerts'>): Alerting {
  return {
    port: null,
    start: () => alerts.follow(false),
    happened() {},
    tried: async () => {},
    waiting: async () => 0,
    async close() {},
  };
}

function ruledSink(parts: AlertingParts, own: SinkSettings): RuledSink {
  const { on, threshold, cooldownMs } = own;
  return { sink: sinkOf(parts, own), rules: { on, threshold, cooldownMs } };
}

// Alerts for a sink with a missing secret stay pending until the secret exists.
function sinkOf({ clock, home, keys, env }: AlertingParts, own: SinkSettings): Sink {
  const problem = problemOf(own, keys);
  if (problem !== null) return { send: async () => ({ ok: false, error: problem }) };
  if (own.kind === 'command') {
    return createCommandSink(clock, { ...own, cwd: home.root, env });
  }
  return createHttpSink(clock, { url: own.url, secret: keys.of(own.variable) ?? '' });
}

function heartbeatOf(
  clock: Clock,
  logger: Logger,
  { heartbeat }: NotifySettings,
): Heartbeat | null {
  if (heartbeat === null) return null;
  const ping = createPing(clock, heartbeat.url);
  return createHeartbeat({ clock, logger, ping }, { everyMs: heartbeat.everyMs });
}

function portOf(
  { notify, keys }: AlertingParts,
  alerts: Alerts,
  heartbeat: Heartbeat | null,
): AlertPort {
  return {
    async standing() {
      const standing = await alerts.standing();
      const sinks = Object.entries(notify.sinks).map(([id, own]) => {
        const { last = null, waiting = 0, givenUp = 0 } = standing.get(id) ?? {};
        return {
          ...{ id, kind: own.kind, to: shownTarget(own), on: own.on, threshold: own.threshold },
          ...{ cooldown: durationText(own.cooldownMs), problem: problemOf(own, keys) },
          ...{ lastTry: shown(last), waiting, givenUp },
        };
      });
      return { sinks, heartbeat: shownHeartbeat(notify, heartbeat) };
    },
    async test(id) {
      return shown(await alerts.test(id));
    },
  };
}

function shownHeartbeat({ heartbeat: own }: NotifySettings, heartbeat: Heartbeat | null) {
  if (own === null) return null;
  const every = durationText(own.everyMs);
  return { to: shownOrigin(own.url), every, lastTry: shown(heartbeat?.last ?? null) };
}

function shown(last: LastTry | null): AlertTry | null {
  return last === null ? null : { at: isoTime(last.at), ok: last.ok, error: last.error };
}
