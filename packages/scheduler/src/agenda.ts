import { type Clock, failure, type Logger, messageOf, type Result, success } from '@svc/core';
import type { Slug, TriggerKey } from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Ahead } from './ahead.ts';
import { dueAt, type Entry, isArmed, type Phase, type Wait } from './entry.ts';
import { WakeHeap } from './heap.ts';
import { HOUR_MS, MINUTE_MS } from './limits.ts';
import { SlotMath } from './slots.ts';

/** Why a trigger that has no further slot is not armed. */
export const NEVER_AGAIN = 'It never fires again.';

/** The next slot, null if there is none, or why it could not be computed. */
export type NextSlot = Result<number | null, unknown>;

/** Every wanted trigger and when to process it next. Only the agenda changes the phase of an entry. */
export class Agenda {
  /** Next slots and counts of slots. */
  readonly math: SlotMath = new SlotMath();
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly index = new EntryIndex();
  private readonly heap = new WakeHeap<Entry>();
  private armedCount = 0;

  constructor(clock: Clock, logger: Logger) {
    this.clock = clock;
    this.logger = logger;
  }

  /** How many entries are armed. */
  get armed(): number {
    return this.armedCount;
  }

  /** Whether no entry is waiting. */
  get isEmpty(): boolean {
    return this.heap.size === 0;
  }

  /** The earliest instant at which an entry must be processed; Infinity if there is none. */
  get nextAt(): number {
    return this.heap.nextAt;
  }

  get(key: TriggerKey): Entry | undefined {
    return this.index.get(key);
  }

  projects(): Slug[] {
    return this.index.projects();
  }

  entriesOf(project: Slug): Iterable<Entry> {
    return this.index.entriesOf(project);
  }

  /** Adds a wanted trigger, which does not wait for a slot yet. */
  add(entry: Entry): void {
    this.index.add(entry);
  }

  /** Removes a trigger that is no longer wanted. */
  remove(entry: Entry): void {
    this.heap.remove(entry);
    this.index.remove(entry);
    this.move(entry, 'gone');
  }

  /** Removes and returns the first entry that is due, or null. */
  popDue(now: number): Entry | null {
    return this.heap.popDue(now);
  }

  /**
   * The first slot of an entry later than `after`, skipping slots that stay decided although the clock was set
   * back.
   */
  nextOf(entry: Entry, after: number): NextSlot {
    const { recurrence } = entry;
    if (recurrence === null) return success(null);
    try {
      return success(this.open(entry, recurrence, this.math.next(recurrence, after)));
    } catch (error) {
      return failure(error);
    }
  }

  private open(entry: Entry, recurrence: Recurrence, first: number | null): number | null {
    let slot = first;
    for (const { from, until } of entry.trouble?.ahead?.decided ?? []) {
      if (slot === null || slot < from) return slot;
      if (slot <= until) slot = this.math.next(recurrence, until);
    }
    return slot;
  }

  /** Marks an entry whose slots are being counted or claimed. */
  occupy(entry: Entry): void {
    this.move(entry, 'busy');
  }

  /** Records that everything up to `decided` is decided. The entry then waits for the next slot. */
  advance(entry: Entry, decided: number): void {
    if (entry.phase === 'gone' || entry.recurrence === null) return;
    this.place(entry, decided, this.nextOf(entry, decided));
  }

  /** Does the same when the next slot is already known. */
  place(entry: Entry, decided: number, next: NextSlot): void {
    if (entry.phase === 'gone') return;
    if (!next.ok) {
      this.fault(entry, decided, next.error);
      return;
    }
    if (next.value === null) {
      this.stop(entry, NEVER_AGAIN);
      return;
    }
    this.setError(entry, null, 0);
    this.forgetAhead(entry, decided);
    this.take(entry, next.value);
    this.wait(entry, dueAt(entry));
  }

  /** Makes the entry wait for a slot, with the current delay of its trigger. */
  take(entry: Entry, slot: number): void {
    entry.slot = slot;
    entry.delayMs = entry.request.delayMs ?? 0;
  }

  /** Applies a changed delay of a trigger, immediately if its slot is still to come. */
  delay(entry: Entry): void {
    const isComing = entry.heapIndex >= 0 && entry.phase === 'waiting' && entry.wait === null;
    if (!isComing || entry.slot <= this.clock.now()) return;
    this.heap.remove(entry);
    this.take(entry, entry.slot);
    this.wait(entry, dueAt(entry));
  }

  /** Keeps the slot of an entry and processes it at the given instant. */
  wait(entry: Entry, wakeAt: number): void {
    if (entry.phase === 'gone') return;
    this.move(entry, 'waiting');
    this.heap.push(entry, wakeAt);
  }

  /** Disarms a trigger whose next slot cannot be computed. Retries after 1 min, doubling up to 1 h. */
  fault(entry: Entry, decided: number, error: unknown): void {
    if (entry.phase === 'gone') return;
    const attempts = entry.trouble?.attempts ?? 0;
    if (attempts === 0) {
      this.logger.error(
        { ...entry.request.key, err: error },
        'cannot compute next slot; retrying later',
      );
    }
    this.setError(entry, `Its next slot could not be computed: ${messageOf(error)}`, attempts + 1);
    entry.slot = decided;
    this.move(entry, 'faulty');
    const backoff = Math.min(MINUTE_MS * 2 ** attempts, HOUR_MS);
    this.heap.push(entry, this.clock.now() + backoff);
  }

  /** Disarms a trigger that the store no longer knows. The next `sync` arms it again. */
  forget(entry: Entry, error: string): void {
    if (entry.phase === 'gone') return;
    entry.recurrence = null;
    this.stop(entry, error);
  }

  /** Continues an entry at `decided` after the clock was set back, whatever it was waiting for. */
  restart(entry: Entry, decided: number, ahead: Ahead | null): void {
    this.heap.remove(entry);
    const wait = waitAsOf(entry.wait, this.clock.now());
    entry.wait = null;
    entry.trouble = ahead === null ? null : { error: null, attempts: 0, ahead };
    this.advance(entry, decided);
    // A slot that passed before the trigger was armed still counts as one that no process could claim.
    if (wait?.armedAt != null && dueAt(entry) <= wait.armedAt) entry.wait = wait;
  }

  /**
   * After the clock was set back, limits the wait of entries that wait for something other than their slot to
   * `soonMs`.
   */
  wakeSoon(soonMs: number): void {
    const now = this.clock.now();
    for (const entry of this.index.entries()) {
      entry.wait = waitAsOf(entry.wait, now);
      if (entry.heapIndex < 0 || (entry.wait === null && entry.phase !== 'faulty')) continue;
      this.heap.remove(entry);
      if (entry.phase === 'faulty') this.heap.push(entry, now + soonMs);
      else this.wait(entry, Math.min(now + soonMs, Math.max(dueAt(entry), now)));
    }
  }

  private stop(entry: Entry, error: string): void {
    this.setError(entry, error, 0);
    this.move(entry, 'idle');
  }

  private move(entry: Entry, phase: Phase): void {
    if (isArmed(entry)) this.armedCount -= 1;
    entry.phase = phase;
    if (isArmed(entry)) this.armedCount += 1;
  }

  private setError(entry: Entry, error: string | null, attempts: number): void {
    const ahead = entry.trouble?.ahead ?? null;
    const sound = error === null && ahead === null;
    entry.trouble = sound ? null : { error, attempts, ahead };
  }

  private forgetAhead(entry: Entry, decided: number): void {
    const until = entry.trouble?.ahead?.until ?? Number.POSITIVE_INFINITY;
    if (decided >= until && this.clock.now() >= until) entry.trouble = null;
  }
}

/**
 * Adjusts a wait after the clock was set back to `now`: later instants become `now`, because the slots up to there
 * occur again.
 */
function waitAsOf(wait: Wait | null, now: number): Wait | null {
  if (wait === null) return null;
  const { judgedAt, armedAt } = wait;
  return {
    judgedAt: judgedAt === null ? null : Math.min(judgedAt, now),
    armedAt: armedAt === null ? null : Math.min(armedAt, now),
  };
}

/** Entries by key. Names are used as map keys directly, so that no entry needs a string of its own. */
class EntryIndex {
  private readonly byProject = new Map<Slug, Map<string, Entry>>();

  get(key: TriggerKey): Entry | undefined {
    return this.byProject.get(key.project)?.get(nameIn(key));
  }

  add(entry: Entry): void {
    const { key } = entry.request;
    const project = this.byProject.get(key.project) ?? new Map<string, Entry>();
    this.byProject.set(key.project, project.set(nameIn(key), entry));
  }

  remove(entry: Entry): void {
    const { key } = entry.request;
    const project = this.byProject.get(key.project);
    if (project?.get(nameIn(key)) === entry) project.delete(nameIn(key));
    if (project?.size === 0) this.byProject.delete(key.project);
  }

  projects(): Slug[] {
    return [...this.byProject.keys()];
  }

  entriesOf(project: Slug): Iterable<Entry> {
    return this.byProject.get(project)?.values() ?? [];
  }

  *entries(): Iterable<Entry> {
    for (const project of this.byProject.values()) yield* project.values();
  }
}

// Names contain no `/`, so keys of the two sources cannot collide.
function nameIn(key: TriggerKey): string {
  return key.source === 'trigger' ? key.name : `${key.source}/${key.name}`;
}
