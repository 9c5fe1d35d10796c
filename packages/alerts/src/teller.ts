import { type Clock, createKeyedLine, createPace, type Logger, messageOf, newId } from '@svc/core';
import { type Alert, alertTypeOf, bodyOf, dataOf, type EndedRun } from './alert.ts';
import { GIVE_UP_AFTER_MS } from './backoff.ts';
import { createLooper } from './looper.ts';
import type { AlertStore, PauseOfAll, Telling, TriggerOf } from './ports.ts';
import { isTold, marksAfter, type SinkRules, type ToldMark } from './rules.ts';

export interface TellerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<
    AlertStore,
    'untold' | 'failuresUpTo' | 'marks' | 'tell' | 'untoldPause' | 'digestAt'
  >;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Told of each run that succeeded lately. */
  readonly onSuccess: () => void;
  /** Told when deliveries were added. */
  readonly onAdded: () => void;
  /** What digests tell at the newest instant at which one is due; `data` makes it up. */
  readonly digest: DigestSource;
}

export interface DigestSource {
  slot(now: number): number;
  data(from: number, to: number): Promise<object>;
}

/** Turns what happened into deliveries, durably and once. */
export interface Teller {
  /** Looks for what has happened. */
  nudge(): void;
  close(): Promise<void>;
}

const AT_ONCE = 100;
const MOST_COUNTED = 1000;
const MOST_WAITING = 10_000;
const LATELY_MS = 300_000;
const LOOK_AGAIN_MS = 30_000;
// What concerns everything is remembered as a trigger without a name.
const EVERYTHING: TriggerOf = { project: '', source: 'trigger', trigger: '' };

export function createTeller(deps: TellerDeps, sinks: ReadonlyMap<string, SinkRules>): Teller {
  const { clock, logger, store } = deps;
  let closed = false;
  const line = createKeyedLine();

  const write = async (telling: Telling): Promise<void> => {
    const dropped = await store.tell(telling, MOST_WAITING);
    if (dropped > 0) logger.warn({ dropped }, 'the oldest alerts were dropped: too many wait');
    if (telling.deliveries.length > 0) deps.onAdded();
  };
  const compose = async (of: TriggerOf, alerts: readonly Alert[]): Promise<Telling> => {
    const marks = await store.marks(of);
    const parts = alerts.map((alert) => partOf(deps, sinks, alert, marks));
    return {
      ...{ runs: [], of },
      deliveries: parts.flatMap(({ deliveries }) => deliveries),
      marks: parts.flatMap((part) => part.marks),
    };
  };
  const tellRun = async (run: EndedRun): Promise<boolean> => {
    const type = alertTypeOf(run.outcome);
    if (type === null || run.endedAt < clock.now() - GIVE_UP_AFTER_MS) return false;
    if (type === 'recovered' && run.endedAt >= clock.now() - LATELY_MS) deps.onSuccess();
    const failures = type === 'failed' ? await store.failuresUpTo(run, MOST_COUNTED) : 0;
    const telling = await compose(run, alertsOf(run, type, failures));
    if (telling.deliveries.length > 0) await write({ ...telling, runs: [run.id] });
    return telling.deliveries.length > 0;
  };
  const tellRuns = async (): Promise<void> => {
    const pace = createPace(clock);
    for (let more = true; more && !closed; ) {
      const runs = await store.untold(AT_ONCE);
      const quiet: string[] = [];
      for (const run of runs) {
        if (!(await tellRun(run))) quiet.push(run.id);
        await pace.breathe();
        if (closed) break;
      }
      if (quiet.length > 0) await write({ runs: quiet, of: null, deliveries: [], marks: [] });
      more = runs.length === AT_ONCE;
    }
  };
  const tellPause = async (): Promise<void> => {
    const pause = await store.untoldPause();
    if (pause === null) return;
    await write({ ...(await compose(EVERYTHING, [alertOfPause(pause)])), pauseAt: pause.at });
  };
  const tellDigest = async (): Promise<void> => {
    const now = clock.now();
    const told = await store.digestAt();
    const to = deps.digest.slot(now);
    if (told === to) return;
    const readers = [...sinks].filter(([, { on }]) => on.includes('digest'));
    // One of the future was noted before somebody set the clock back.
    const isDue = told !== null && told < to && readers.length > 0;
    const data = isDue ? await deps.digest.data(told, to) : {};
    const body = bodyOf('digest', now, data);
    const rows = isDue ? readers.map(([sink]) => ({ ...NOBODYS, id: newId(), sink, body })) : [];
    const deliveries = rows.map((row) => ({ ...row, addedAt: now }));
    await write({ runs: [], of: null, deliveries, marks: [], digestAt: to });
  };
  const tellAll = async (): Promise<number> => {
    await tellRuns();
    await tellPause();
    await tellDigest();
    return LOOK_AGAIN_MS;
  };
  const looper = createLooper(
    clock,
    () => line.run('', tellAll),
    (error) => logger.warn({ error: messageOf(error) }, 'what has happened cannot be told yet'),
  );
  return {
    nudge: looper.nudge,
    async close() {
      closed = true;
      await looper.close();
    },
  };
}

const NOBODYS = { type: 'digest', project: '', trigger: '', runId: null } as const;

function partOf(
  { clock, redact }: Pick<TellerDeps, 'clock' | 'redact'>,
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

function alertsOf(run: EndedRun, type: Alert['type'], failures: number): Alert[] {
  const { id, project, source, trigger, outcome, endedAt: at, slots } = run;
  const facts = { project, source, trigger, run: id, outcome, at, failures, slots };
  const end: Alert = { ...facts, type, reason: run.reason };
  return run.pausedReason === null
    ? [end]
    : [end, { ...facts, type: 'paused', reason: run.pausedReason }];
}

function alertOfPause({ by, at, reason }: PauseOfAll): Alert {
  const why = reason === null ? '.' : `: ${reason}`;
  return {
    ...{ type: 'paused', project: null, source: null, trigger: null, run: null, outcome: null },
    ...{ at: Date.parse(at), failures: 0, slots: 0 },
    reason: `Everything was paused by ${by}${why}`,
  };
}
