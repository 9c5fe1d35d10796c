const BEAT = 'heartbeat';

/** Describes what fails, by the names of sinks, which may include `heartbeat`. */
export function failingText(names: readonly string[]): string {
  const sinks = names.filter((name) => name !== BEAT).length;
  if (sinks === 0) return 'The heartbeat ping is failing.';
  return sinks === 1 ? 'An alert sink is failing.' : `${sinks} alert sinks are failing.`;
}

/** "3 alerts are waiting. Delivery is retried for up to a day." */
export function waitingText(waiting: number): string {
  if (waiting === 0) return 'No alerts are waiting.';
  return waiting === 1
    ? '1 alert is waiting. Delivery is retried for up to a day.'
    : `${waiting.toLocaleString('en-GB')} alerts are waiting. Delivery is retried for up to a day.`;
}

interface Rules {
  readonly on: readonly string[];
  readonly threshold: number;
  readonly cooldown: string;
}

/** "Sends: failed, missed; failed only after 3 consecutive failures; at most one alert of a kind per trigger every 1h." */
export function rulesText({ on, threshold, cooldown }: Rules): string {
  const from = threshold === 1 ? [] : [`failed only after ${threshold} consecutive failures`];
  const rest =
    cooldown === '0s' ? [] : [`at most one alert of a kind per trigger every ${cooldown}`];
  return `Sends: ${[on.join(', '), ...from, ...rest].join('; ')}.`;
}
