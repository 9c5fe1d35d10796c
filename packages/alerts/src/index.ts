export { type CommandSinkOptions, createCommandSink } from './adapters/command-sink.ts';
export { createHttpSink, type HttpSinkOptions, isWebhookSecret } from './adapters/http-sink.ts';
export { createPing } from './adapters/ping.ts';
export { ALERT_TYPES, type AlertType } from './alert.ts';
export {
  type Alerts,
  type AlertsDeps,
  createAlerts,
  type RuledSink,
  type SinkStanding,
} from './alerts.ts';
export type { StandingTrouble } from './digest.ts';
export {
  createHeartbeat,
  type Heartbeat,
  type HeartbeatDeps,
  type HeartbeatOptions,
} from './heartbeat.ts';
export type {
  AlertStore,
  Delivery,
  DeliveryCounts,
  LastTry,
  NewDelivery,
  Notification,
  PauseOfAll,
  RunSum,
  Sent,
  Sink,
  SpentNote,
  TriggerOf,
} from './ports.ts';
export type { SentMark, SinkRules } from './rules.ts';
