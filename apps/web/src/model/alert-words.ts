const BEAT = 'heartbeat';

/** What does not work, in a sentence, by the names of sinks, among which may be `heartbeat`. */
export function failingText(names: readonly string[]): string {
  const sinks = names.filter((name) => name !== BEAT).length;
  if (sinks === 0) return 'The heartbeat does not reach its watcher.';
  return sinks === 1
    ? 'An alert sink does not take what it is told.'
    : `${sinks} alert sinks do not take what they are told.`;
}

/** "3 alerts wait and are tried again, for a day." */
export function waitingText(waiting: number): string {
  if (waiting === 0) return 'No alert waits.';
  return waiting === 1
    ? '1 alert waits and is tried again, for a day.'
    : `${waiting.toLocaleString('en-GB')} alerts wait and are tried again, for a day.`;
}

interface Rules {
  readonly on: readonly string[];
  readonly threshold: number;
  readonly cooldown: string;
}

/** "Is told: failed, missed; failures from 3 in a row; the same of a trigger at most once in 1h." */
export function rulesText({ on, threshold, cooldown }: Rules): string {
  const from = threshold === 1 ? [] : [`failures from ${threshold} in a row`];
  const rest = cooldown === '0s' ? [] : [`the same of a trigger at most once in ${cooldown}`];
  return `Is told: ${[on.join(', '), ...from, ...rest].join('; ')}.`;
}
