import type { Rows } from './rows.ts';

/** Alerts. */
export const ALERTS: Rows = {
  'alerts.lost-server':
    'A lost server is one alert, however many triggers miss slots because of it.',
  'alerts.sent':
    'Sinks receive failures, missed slots, pauses, and the first success after a reported failure.',
  'alerts.signed':
    'A webhook is signed according to Standard Webhooks, each attempt with its own time.',
  'alerts.command': 'A command gets the same JSON on stdin, without a shell.',
  'alerts.heartbeat': 'A heartbeat URL is pinged after successful runs, at most once per interval.',
  'alerts.paused': 'A trigger paused after failures raises an alert with the last run.',
  'alerts.limited':
    'limited is sent once a day for each daily limit that stopped something, with the name of the limit.',
  'alerts.rules':
    'Failures are sent from the threshold on, nothing twice within the cooldown, and recovered only after a reported failure.',
  'alerts.digest':
    'On Monday at 08:00 in host time a digest summarizes runs, failures, missed and skipped slots, cost and problems: once each week, however often the service starts, and late after downtime.',
  'alerts.restart': 'An alert in delivery when the service died is sent with the same id.',
  'alerts.once': 'Each ended run is reported once, whenever the service dies.',
  'alerts.day': 'Alerts are retried for a day, then given up visibly.',
  'alerts.order':
    'Alerts pending for a sink are sent in order once the sink works again; at most 10,000 are kept.',
  'alerts.failing-shows':
    'A failing sink harms no run, and appears in status, settings, log and metrics.',
  'alerts.try':
    'svc alerts test and POST /api/alerts/test send a test alert and return the result.',
  'alerts.redirects': 'Redirects of a sink are not followed.',
  'alerts.bounds':
    'A sink that hangs, closes, answers 500 or 10 MB, or a command that never ends, floods or fails, is only a failed attempt.',
  'alerts.secrets':
    'Secrets of sinks and others are neither sent, logged nor shown; long reasons are cut.',
  'alerts.secret-missing':
    'A sink whose secret is missing reports that; its alerts stay pending, and other sinks get theirs.',
  'alerts.stop': 'Stopping the service does not wait for alerts.',
  'alerts.settings': 'Errors in notify name the field and line.',
  'alerts.page':
    'Every view of the page shows failing sinks, and the settings show the state of each sink.',
};
