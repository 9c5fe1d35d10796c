import { type Clock, newId } from '@svc/core';
import { type EndedRun, pauseSentence } from '@svc/records';
import { type Alert, bodyOf, dataOf } from './alert.ts';
import type { NewDelivery, Notification, PauseOfAll, SpentNote, TriggerOf } from './ports.ts';
import { marksAfter, type SentMark, type SinkRules, shouldNotify } from './rules.ts';

export interface ComposeDeps {
  readonly clock: Clock;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** What to store for the alerts of one trigger, given what its sinks have already received. */
export function compose(
  deps: ComposeDeps,
  sinks: ReadonlyMap<string, SinkRules>,
  of: TriggerOf,
  alerts: readonly Alert[],
  marks: readonly SentMark[],
): Notification {
  const parts = alerts.map((alert) => partOf(deps, sinks, alert, marks));
  return {
    runs: [],
    of,
    deliveries: parts.flatMap(({ deliveries }) => deliveries),
    marks: parts.flatMap((part) => part.marks),
  };
}

function partOf(
  { clock, redact }: ComposeDeps,
  sinks: ReadonlyMap<string, SinkRules>,
  alert: Alert,
  marks: readonly SentMark[],
): Pick<Notification, 'deliveries' | 'marks'> {
  const { type, run: runId } = alert;
  const { project, trigger } = { project: alert.project ?? '', trigger: alert.trigger ?? '' };
  const notified = [...sinks]
    .map(([sink, rules]) => ({ sink, rules, own: marks.filter((mark) => mark.sink === sink) }))
    .filter(({ rules, own }) => shouldNotify(rules, alert, own));
  if (notified.length === 0) return { deliveries: [], marks: [] };
  const body = bodyOf(type, alert.at, dataOf(alert, redact));
  return {
    deliveries: notified.map(({ sink }) => {
      return { id: newId(), sink, type, body, project, trigger, runId, addedAt: clock.now() };
    }),
    marks: notified.flatMap(({ sink, own }) => marksAfter(sink, alert, own)),
  };
}

/** The alerts for the end of a run: its outcome and, if it caused one, a pause. */
export function alertsOf(run: EndedRun, type: Alert['type'], failures: number): Alert[] {
  const { id, project, source, trigger, outcome, endedAt: at, slots } = run;
  const facts = { project, source, trigger, run: id, outcome, at, failures, slots };
  const end: Alert = { ...facts, type, reason: run.reason };
  return run.pausedReason === null
    ? [end]
    : [end, { ...facts, type: 'paused', reason: run.pausedReason }];
}

/** The alert for a lost server, made from the first run that missed slots because of it. */
export function alertOfLoss({ endedAt: at, reason }: EndedRun): Alert {
  const what = reason?.replace(/, which [^,]+,/, '') ?? '';
  return {
    ...{ type: 'missed', project: null, source: null, trigger: null, run: null },
    ...{ outcome: 'missed', at, failures: 0, slots: 0 },
    reason: `${what} Triggers of its projects missed slots; run svc runs to list them.`,
  };
}

/** The alert for a pause of all triggers. */
export function alertOfPause({ by, at, reason }: PauseOfAll): Alert {
  return {
    ...{ type: 'paused', project: null, source: null, trigger: null, run: null, outcome: null },
    ...{ at: Date.parse(at), failures: 0, slots: 0 },
    reason: pauseSentence({ by, reason }),
  };
}

/** The alert for an exhausted daily limit. */
export function alertOfSpent({ limit, project, trigger, at, reason, run }: SpentNote): Alert {
  const source = trigger === null ? null : 'trigger';
  const outcome = run === null ? null : 'skipped_limit';
  return {
    ...{ type: 'limited', project, source, trigger, run, outcome, reason, at, limit },
    ...{ failures: 0, slots: 0 },
  };
}

/** The deliveries of a digest to the given sinks. */
export function digestDeliveries(
  sinks: readonly string[],
  data: object,
  addedAt: number,
): NewDelivery[] {
  const body = bodyOf('digest', addedAt, data);
  const of = { type: 'digest', project: '', trigger: '', runId: null } as const;
  return sinks.map((sink) => ({ ...of, id: newId(), sink, body, addedAt }));
}
