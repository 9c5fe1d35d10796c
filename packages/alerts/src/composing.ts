import { type Clock, newId } from '@svc/core';
import type { EndedRun } from '@svc/records';
import { type Alert, bodyOf, dataOf } from './alert.ts';
import type { NewDelivery, PauseOfAll, SpentNote, Telling, TriggerOf } from './ports.ts';
import { isTold, marksAfter, type SinkRules, type ToldMark } from './rules.ts';

export interface ComposeDeps {
  readonly clock: Clock;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** What is written when alerts of one trigger are told, by what sinks were told of it before. */
export function compose(
  deps: ComposeDeps,
  sinks: ReadonlyMap<string, SinkRules>,
  of: TriggerOf,
  alerts: readonly Alert[],
  marks: readonly ToldMark[],
): Telling {
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
  marks: readonly ToldMark[],
): Pick<Telling, 'deliveries' | 'marks'> {
  const { type, run: runId } = alert;
  const { project, trigger } = { project: alert.project ?? '', trigger: alert.trigger ?? '' };
  const told = [...sinks]
    .map(([sink, rules]) => ({ sink, rules, own: marks.filter((mark) => mark.sink === sink) }))
    .filter(({ rules, own }) => isTold(rules, alert, own));
  if (told.length === 0) return { deliveries: [], marks: [] };
  const body = bodyOf(type, alert.at, dataOf(alert, redact));
  return {
    deliveries: told.map(({ sink }) => {
      return { id: newId(), sink, type, body, project, trigger, runId, addedAt: clock.now() };
    }),
    marks: told.flatMap(({ sink, own }) => marksAfter(sink, alert, own)),
  };
}

/** What the end of a run is told as: that, and a pause that came with it. */
export function alertsOf(run: EndedRun, type: Alert['type'], failures: number): Alert[] {
  const { id, project, source, trigger, outcome, endedAt: at, slots } = run;
  const facts = { project, source, trigger, run: id, outcome, at, failures, slots };
  const end: Alert = { ...facts, type, reason: run.reason };
  return run.pausedReason === null
    ? [end]
    : [end, { ...facts, type: 'paused', reason: run.pausedReason }];
}

/** That a server was lost, of the first slot that was missed for it. */
export function alertOfLoss({ endedAt: at, reason }: EndedRun): Alert {
  const what = reason?.replace(', which looked after it,', '') ?? '';
  return {
    ...{ type: 'missed', project: null, source: null, trigger: null, run: null },
    ...{ outcome: 'missed', at, failures: 0, slots: 0 },
    reason: `${what} Triggers of its projects missed slots: svc runs shows which.`,
  };
}

/** That everything was paused. */
export function alertOfPause({ by, at, reason }: PauseOfAll): Alert {
  const why = reason === null ? '.' : `: ${reason}`;
  return {
    ...{ type: 'paused', project: null, source: null, trigger: null, run: null, outcome: null },
    ...{ at: Date.parse(at), failures: 0, slots: 0 },
    reason: `Everything was paused by ${by}${why}`,
  };
}

/** That a daily limit is spent. */
export function alertOfSpent({ limit, project, trigger, at, reason, run }: SpentNote): Alert {
  const source = trigger === null ? null : 'trigger';
  const outcome = run === null ? null : 'skipped_limit';
  return {
    ...{ type: 'limited', project, source, trigger, run, outcome, reason, at, limit },
    ...{ failures: 0, slots: 0 },
  };
}

/** Deliveries of a digest to these sinks. */
export function digestDeliveries(
  sinks: readonly string[],
  data: object,
  addedAt: number,
): NewDelivery[] {
  const body = bodyOf('digest', addedAt, data);
  const of = { type: 'digest', project: '', trigger: '', runId: null } as const;
  return sinks.map((sink) => ({ ...of, id: newId(), sink, body, addedAt }));
}
