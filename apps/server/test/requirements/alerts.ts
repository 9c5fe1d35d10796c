import type { Rows } from './rows.ts';

/** Who is told what happens. */
export const ALERTS: Rows = {
  'alerts.lost-server':
    'A server that is lost is one alert, however many triggers miss slots for it.',
  'alerts.told':
    'Sinks are told of failures, missed slots, pauses, and of the first success after a failure that was told.',
  'alerts.signed': 'A webhook is signed as Standard Webhooks says, each try with its own time.',
  'alerts.command': 'A command gets the same JSON on stdin, without a shell.',
  'alerts.heartbeat': 'A watcher is pinged after successes, at most once in its time.',
  'alerts.paused':
    'A trigger that is paused after failures is told, with the run that was the last one.',
  'alerts.limited':
    'limited tells once a day and limit that a daily limit has stopped something, with the name of the limit.',
  'alerts.rules':
    'Whatever happens: failures are told from the threshold on, nothing twice within the cooldown, recovered only after a failure that was told.',
  'alerts.digest':
    'On Monday at 08:00 of the host a digest tells of runs, failures, missed and skipped slots, cost and what is in the way; once each week, however often the service starts, and late where it was down.',
  'alerts.restart': 'An alert that was on its way when the service died is sent with the same id.',
  'alerts.once': 'What ended is told once, whenever the service dies.',
  'alerts.day': 'Alerts are tried for a day, then given up, which shows.',
  'alerts.order':
    'What waits for a sink is sent in the order in which it happened once the sink works again, and at most 10,000 wait.',
  'alerts.failing-shows':
    'A sink that fails harms no run, and shows in status, settings, log and figures.',
  'alerts.try': 'svc alerts test and POST /api/alerts/test send a test alert and say how it went.',
  'alerts.redirects': 'Redirects of a sink are not followed.',
  'alerts.bounds':
    'A sink that hangs, closes, answers 500 or 10 MB, and a command that never ends, floods or fails, is a failed try, no more.',
  'alerts.secrets':
    'Secrets of sinks and of others are neither told, logged nor shown; long reasons are cut.',
  'alerts.secret-missing':
    'A sink whose secret is missing says so; what it is to be told waits, and the other sinks are told.',
  'alerts.stop': 'A stop does not wait for alerts.',
  'alerts.settings': 'What is wrong with notify is said with field and line.',
  'alerts.page':
    'The page shows sinks that fail on every view, and in the settings how each stands.',
};
