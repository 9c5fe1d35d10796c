import type { Alert, AlertType } from './alert.ts';

/** Which alerts a sink receives. */
export interface SinkRules {
  readonly on: readonly AlertType[];
  /** Consecutive failures before an alert is sent, 1 or more. */
  readonly threshold: number;
  /**
   * Minimum time between two alerts of the same type for the same trigger in milliseconds; 0 for none. Does not
   * apply to `limited`, which is sent once a day for each limit.
   */
  readonly cooldownMs: number;
}

/** When a sink last received an alert of a type about a trigger. */
export interface SentMark {
  readonly sink: string;
  readonly type: AlertType | 'test';
  /** In milliseconds since 1970. */
  readonly at: number;
  /** For a failure: whether the recovery has not been sent yet. */
  readonly open: boolean;
}

interface Happening {
  readonly type: Alert['type'];
  readonly failures: number;
  readonly at: number;
}

/** Whether to notify a sink, given what it has already received about the same trigger. */
export function shouldNotify(
  { on, threshold, cooldownMs }: SinkRules,
  { type, failures, at }: Happening,
  marks: readonly SentMark[],
): boolean {
  if (!on.includes(type)) return false;
  if (type === 'failed' && failures < threshold) return false;
  if (type === 'recovered' && !marks.some((mark) => mark.type === 'failed' && mark.open)) {
    return false;
  }
  if (type === 'limited') return true;
  const last = marks.find((mark) => mark.type === type);
  // A mark in the future was made before the clock was set back.
  return last === undefined || last.at > at || at - last.at >= cooldownMs;
}

/** The marks to store after a notification. Those of other types stay unchanged. */
export function marksAfter(
  sink: string,
  { type, at }: Happening,
  marks: readonly SentMark[],
): readonly SentMark[] {
  if (type === 'limited') return [];
  const closed = marks.filter((mark) => type === 'recovered' && mark.type === 'failed');
  return [
    { sink, type, at, open: type === 'failed' },
    ...closed.map((mark) => ({ ...mark, open: false })),
  ];
}
