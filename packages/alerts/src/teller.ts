import { type Clock, createKeyedLine, type Logger, messageOf, newId } from '@svc/core';
import { type Alert, alertBody, alertTypeOf, type EndedRun } from './alert.ts';
import { GIVE_UP_AFTER_MS } from './backoff.ts';
import { createLooper } from './looper.ts';
import type { AlertStore, Telling } from './ports.ts';
import { isTold, marksAfter, type SinkRules, type ToldMark } from './rules.ts';

export interface TellerDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<AlertStore, 'untold' | 'failuresUpTo' | 'marks' | 'tell'>;
  /** Told of each run that succeeded lately. */
  readonly onSuccess: () => void;
  /** Told when deliveries were added. */
  readonly onAdded: () => void;
}

/** Turns what happened into deliveries, durably and once. */
export interface Teller {
  /** Looks for runs that have ended. */
  nudge(): void;
  /** Tells something that no run stands behind. */
  tell(alert: Alert): Promise<void>;
  close(): Promise<void>;
}

const AT_ONCE = 100;
const MOST_COUNTED = 1000;
const MOST_WAITING = 10_000;

export function createTeller(deps: TellerDeps, sinks: ReadonlyMap<string, SinkRules>): Teller {
  const { clock, logger, store } = deps;
  let closed = false;
  // What two of them tell of one trigger depends on what the first has told.
  const line = createKeyedLine();

  const write = async (telling: Telling): Promise<void> => {
    const dropped = await store.tell(telling, MOST_WAITING);
    if (dropped > 0) logger.warn({ dropped }, 'the oldest alerts were dropped: too many wait');
    if (telling.deliveries.length > 0) deps.onAdded();
  };
  const tell = async (alert: Alert): Promise<boolean> => {
    const telling = tellingOf(sinks, alert, await store.marks(alert), clock.now());
    if (telling.deliveries.length > 0) await write(telling);
    return telling.deliveries.length > 0;
  };
  const tellRun = async (run: EndedRun): Promise<boolean> => {
    const type = alertTypeOf(run.outcome);
    if (type === null || run.endedAt < clock.now() - GIVE_UP_AFTER_MS) return false;
    if (type === 'recovered') deps.onSuccess();
    const failures = type === 'failed' ? await store.failuresUpTo(run, MOST_COUNTED) : 0;
    return tell(alertOf(run, type, failures));
  };
  const tellAll = async (): Promise<null> => {
    for (let more = true; more && !closed; ) {
      const runs = await store.untold(AT_ONCE);
      const quiet: string[] = [];
      for (const run of runs) if (!(await tellRun(run))) quiet.push(run.id);
      if (quiet.length > 0) await write({ runs: quiet, of: null, deliveries: [], marks: [] });
      more = runs.length === AT_ONCE;
    }
    return null;
  };
  const looper = createLooper(
    clock,
    () => line.run('', tellAll),
    (error) => logger.warn({ error: messageOf(error) }, 'what has ended cannot be told yet'),
  );
  return {
    nudge: looper.nudge,
    async tell(alert) {
      await line.run('', () => tell(alert));
    },
    async close() {
      closed = true;
      await looper.close();
      await line.idle();
    },
  };
}

function tellingOf(
  sinks: ReadonlyMap<string, SinkRules>,
  alert: Alert,
  marks: readonly ToldMark[],
  addedAt: number,
): Telling {
  const { type, project, trigger, run: runId } = alert;
  const body = alertBody(alert);
  const told = [...sinks]
    .map(([sink, rules]) => ({ sink, rules, own: marks.filter((mark) => mark.sink === sink) }))
    .filter(({ rules, own }) => isTold(rules, alert, own));
  return {
    runs: runId === null ? [] : [runId],
    of: alert,
    deliveries: told.map(({ sink }) => {
      return { id: newId(), sink, type, body, project, trigger, runId, addedAt };
    }),
    marks: told.flatMap(({ sink, own }) => marksAfter(sink, alert, own)),
  };
}

function alertOf(run: EndedRun, type: Alert['type'], failures: number): Alert {
  const { id, project, source, trigger, outcome, reason, endedAt: at, slots } = run;
  return { type, project, source, trigger, run: id, outcome, reason, at, failures, slots };
}
