import type { Alert, AlertType } from './alert.ts';

/** What one sink is told. */
export interface SinkRules {
  readonly on: readonly AlertType[];
  /** Failures in a row before a failure is told, 1 or more. */
  readonly threshold: number;
  /**
   * Least time between two alerts of one type of one trigger, in milliseconds; 0 for none. `limited` has none: it comes
   * once a day for each limit.
   */
  readonly cooldownMs: number;
}

/** When a sink was last told something of a trigger. */
export interface ToldMark {
  readonly sink: string;
  readonly type: AlertType | 'test';
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Of a failure: whether it has not been told yet that all is well again. */
  readonly open: boolean;
}

interface Happening {
  readonly type: Alert['type'];
  readonly failures: number;
  readonly at: number;
}

/** Whether a sink is told of something, by what it was told of the same trigger before. */
export function isTold(
  { on, threshold, cooldownMs }: SinkRules,
  { type, failures, at }: Happening,
  marks: readonly ToldMark[],
): boolean {
  if (!on.includes(type)) return false;
  if (type === 'failed' && failures < threshold) return false;
  if (type === 'recovered' && !marks.some((mark) => mark.type === 'failed' && mark.open)) {
    return false;
  }
  if (type === 'limited') return true;
  const last = marks.find((mark) => mark.type === type);
  // A mark of the future was made before somebody set the clock back.
  return last === undefined || last.at > at || at - last.at >= cooldownMs;
}

/** The marks that telling it leaves; those of the other types stay as they are. */
export function marksAfter(
  sink: string,
  { type, at }: Happening,
  marks: readonly ToldMark[],
): readonly ToldMark[] {
  if (type === 'limited') return [];
  const closed = marks.filter((mark) => type === 'recovered' && mark.type === 'failed');
  return [
    { sink, type, at, open: type === 'failed' },
    ...closed.map((mark) => ({ ...mark, open: false })),
  ];
}
