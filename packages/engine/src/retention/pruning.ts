import { failureLevel, messageOf, type TimerHandle } from '@svc/core';
import type { TriggerKey } from '@svc/records';
import type { PrunedChanges, PruningPlace, RetentionRule } from '@svc/store';
import { invalidOf } from '../arming/invalid-entries.ts';
import type { Members } from '../cluster/members.ts';
import { definitionHash, definitionOf } from '../definition.ts';
import type { EngineDeps, Retention } from '../deps.ts';

/** Removes what retention does not keep, while the service is running. */
export interface Pruning {
  start(): void;
  /** Waits for the current step. */
  close(): Promise<void>;
}

// The first seconds after a start are busy.
const FIRST_MS = 5000;
const EVERY_MS = 10 * 60_000;
// A step blocks everything else, so its size adapts to this duration, with pauses in between.
const STEP_MS = 4;
const REST_MS = 5;
const REMOVED: Pace = { first: 10, more: 5, most: 200 };
// Most triggers have nothing to remove.
const LOOKED_AT: Pace = { first: 20, more: 20, most: 400 };
const EVENTS_KEPT_MS = 30 * 86_400_000;
const EVENTS_AT_ONCE = 100;
const SHRUNK_AT_ONCE = 256 * 1024;
// Every change is examined, and few are added per day.
const CHANGES_EVERY_MS = 24 * 3_600_000;
const SPANS_AT_ONCE = 100;
// Much longer than it takes to store a definition after its bounds were recorded.
const BOUNDS_KEPT_MS = 24 * 3_600_000;
// A few runs may span a long time, and so must the changes that explain them.
const FEWEST_CHANGES = 1000;

/** Number of items in the first step, how many more after a short step, and the maximum. */
interface Pace {
  readonly first: number;
  readonly more: number;
  readonly most: number;
}

export function createPruning(
  deps: EngineDeps,
  retention: Retention,
  members: Pick<Members, 'leads'>,
): Pruning {
  let timer: TimerHandle | null = null;
  let isOpen = false;
  let wake = (): void => {};
  let working: Promise<void> = Promise.resolve();
  let changesDue = Number.NEGATIVE_INFINITY;
  const later = (ms: number, act: () => void): void => {
    if (isOpen) timer = deps.clock.setTimeout(act, ms);
  };
  const rest = async (): Promise<boolean> => {
    if (isOpen) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        later(REST_MS, resolve);
      });
    }
    return isOpen;
  };
  const pass = (): void => {
    // One server does it for all.
    if (!members.leads()) {
      later(EVERY_MS, pass);
      return;
    }
    const isDue = deps.clock.mono() >= changesDue;
    working = onePass(deps, retention, rest, isDue)
      .then(() => {
        if (isDue) changesDue = deps.clock.mono() + CHANGES_EVERY_MS;
      })
      .catch((error: unknown) => {
        deps.logger[failureLevel(error, 'warn')](
          { error: messageOf(error) },
          'cannot remove old runs',
        );
      })
      .then(() => later(EVERY_MS, pass));
  };
  return {
    start() {
      isOpen = true;
      later(FIRST_MS, pass);
    },
    async close() {
      isOpen = false;
      if (timer !== null) deps.clock.clearTimeout(timer);
      wake();
      await working;
    },
  };
}

/** Waits between two steps; false if pruning must end. */
type Rest = () => Promise<boolean>;

interface Removed {
  runs: number;
  chats: number;
  messages: number;
  events: number;
  changes: number;
}

async function onePass(
  deps: EngineDeps,
  retention: Retention,
  rest: Rest,
  withChanges: boolean,
): Promise<void> {
  const { store, clock, logger, observer } = deps;
  const begun = clock.mono();
  const before = await store.retention.size();
  const removed: Removed = { runs: 0, chats: 0, messages: 0, events: 0, changes: 0 };
  if (retention.runs !== null || retention.ageMs !== null) {
    await pruneTriggers(deps, retention, rest, removed);
    if (withChanges) await pruneChanges(deps, retention, rest, removed);
  }
  if (withChanges) await pruneBounds(deps, rest);
  await pruneEvents(deps, rest, removed);
  await shrink(deps, rest);
  if (removed.runs + removed.events + removed.changes === 0) return;
  observer?.pruned?.({ runs: removed.runs });
  const after = await store.retention.size();
  const sizes = { bytes: after.bytes, bytesGivenBack: Math.max(0, before.bytes - after.bytes) };
  const ms = Math.round(clock.mono() - begun);
  logger.info({ ...removed, ...sizes, ms }, 'old runs removed');
}

async function pruneTriggers(
  deps: EngineDeps,
  retention: Retention,
  rest: Rest,
  removed: Removed,
): Promise<void> {
  let after: TriggerKey | null = null;
  let limit = LOOKED_AT.first;
  do {
    if (!(await rest())) return;
    const begun = deps.clock.mono();
    const rule = { runs: retention.runs, since: sinceOf(deps, retention) };
    const { due, last } = await deps.store.retention.look(rule, { after, limit });
    limit = nextLimit(limit, deps.clock.mono() - begun, LOOKED_AT);
    for (const key of due) {
      if (!(await rest())) return;
      await pruneTrigger(deps, key, await ruleOf(deps, key, retention), rest, removed);
    }
    after = last;
  } while (after !== null);
}

function sinceOf({ clock }: Pick<EngineDeps, 'clock'>, { ageMs }: Retention): number | null {
  return ageMs === null ? null : clock.now() - ageMs;
}

async function ruleOf(
  deps: EngineDeps,
  key: TriggerKey,
  retention: Retention,
): Promise<RetentionRule> {
  const since = sinceOf(deps, retention);
  return {
    runs: retention.runs,
    since,
    now: deps.clock.now(),
    keepsFailure: !(await isGone(deps, key)),
  };
}

// The last failure of a removed trigger need not be kept.
async function isGone({ projects }: EngineDeps, key: TriggerKey): Promise<boolean> {
  await projects.ping();
  const snapshot = await projects.snapshot(key.project);
  if (snapshot === null) return true;
  const { file } = snapshot;
  if (file === null) return false;
  const isInvalid = invalidOf(snapshot).some(({ name }) => name === key.name);
  return !isInvalid && definitionOf(file, key) === null;
}

async function pruneTrigger(
  { store: { retention }, clock, changes }: EngineDeps,
  key: TriggerKey,
  rule: RetentionRule,
  rest: Rest,
  removed: Removed,
): Promise<void> {
  const before = removed.runs;
  let place: PruningPlace | null = await retention.place(key, rule);
  let limit = REMOVED.first;
  while (place !== null) {
    const begun = clock.mono();
    const step = await retention.prune(key, rule, place, limit);
    removed.runs += step.runs;
    removed.chats += step.chats;
    removed.messages += step.messages;
    place = step.next;
    limit = nextLimit(limit, clock.mono() - begun, REMOVED);
    if (place !== null && !(await rest())) break;
  }
  if (removed.runs > before) changes.publish({ kind: 'run', project: key.project, id: null });
}

function nextLimit(limit: number, tookMs: number, { more, most }: Pace): number {
  return tookMs < STEP_MS ? Math.min(most, limit + more) : Math.max(1, Math.floor(limit / 2));
}

async function pruneChanges(
  { store, clock }: EngineDeps,
  { runs, ageMs }: Retention,
  rest: Rest,
  removed: Removed,
): Promise<void> {
  const since = ageMs === null ? null : clock.now() - ageMs;
  const keep = runs === null ? null : Math.max(runs, FEWEST_CHANGES);
  let after: number | null = 0;
  let limit = REMOVED.first;
  while (after !== null && (await rest())) {
    const begun = clock.mono();
    const step: PrunedChanges = await store.changes.prune({ since, keep }, { after, limit });
    removed.changes += step.changes;
    after = step.next;
    limit = nextLimit(limit, clock.mono() - begun, REMOVED);
  }
  if (since === null) return;
  let spans = SPANS_AT_ONCE;
  while (spans === SPANS_AT_ONCE && (await rest())) {
    spans = await store.spans.prune(since, SPANS_AT_ONCE);
  }
}

// Removes bounds of definitions that are in no file. A file that cannot be read now may contain them later.
async function pruneBounds({ store, clock, projects }: EngineDeps, rest: Rest): Promise<void> {
  const before = clock.now() - BOUNDS_KEPT_MS;
  for (const bound of await store.triggers.boundBefore(before)) {
    if (!(await rest())) return;
    const file = (await projects.snapshot(bound.project))?.file ?? null;
    if (file === null) continue;
    const record = file.triggers.get(bound.name)?.record;
    const isUnusable =
      record === undefined && (file.written.has(bound.name) || file.beyond.has(bound.name));
    const isStored = record !== undefined && definitionHash(record) === bound.hash;
    if (!isUnusable && !isStored) await store.triggers.unbindStale(bound, before);
  }
}

async function pruneEvents(
  { store, clock }: EngineDeps,
  rest: Rest,
  removed: Removed,
): Promise<void> {
  const before = clock.now() - EVENTS_KEPT_MS;
  while (await rest()) {
    const count = await store.events.prune(before, EVENTS_AT_ONCE);
    removed.events += count;
    if (count < EVENTS_AT_ONCE) return;
  }
}

async function shrink({ store: { retention } }: EngineDeps, rest: Rest): Promise<void> {
  if ((await retention.size()).free < SHRUNK_AT_ONCE) return;
  let isMore = true;
  while (isMore && (await rest())) isMore = await retention.shrink(SHRUNK_AT_ONCE);
  if (await rest()) await retention.settle();
}
