import { type Clock, messageOf, sentencesOf, type TimeSlice } from '@svc/core';
import {
  type SlotCursor,
  type SlotsAhead,
  type Slug,
  type TriggerId,
  triggerId,
  triggerKeyOf,
} from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Agenda } from './agenda.ts';
import { type Ahead, aheadOf, type Decided } from './ahead.ts';
import type { Claimer } from './claiming.ts';
import type { ArmReport, ArmRequest, SlotClaims } from './contract.ts';
import { Entry, isArmed, lateSlotPoint } from './entry.ts';
import { SchedulerError } from './errors.ts';
import { recurrenceOf, type Start, startFrom } from './slots.ts';
import { armedTrigger, asStored, type StepBack } from './step-back.ts';

/** The collaborators of an `Armer`. */
export interface ArmerParts {
  readonly clock: Clock;
  readonly claims: SlotClaims;
  readonly agenda: Agenda;
  readonly claimer: Claimer;
  readonly stepBack: StepBack;
  /** Late slots are processed within this many milliseconds. */
  readonly spreadMs: number;
  /** Shared by all projects, so that arming several of them in parallel does not multiply the load. */
  readonly timeSlice: TimeSlice;
  /** Called after entries were added. */
  readonly onArmed: () => void;
  /** Throws once the scheduler is closed. */
  readonly ensureOpen: () => void;
}

interface Todo {
  readonly entry: Entry;
  readonly stored: SlotCursor | undefined;
  readonly known: boolean;
}

interface Ready extends Start {
  readonly todo: Todo;
  readonly recurrence: Recurrence;
  readonly decided: Decided;
  readonly ahead: Ahead | null;
}

type Stored = ReadonlyMap<TriggerId, SlotCursor>;
type AllAhead = ReadonlyMap<TriggerId, readonly SlotsAhead[]>;
type Draft = { -readonly [K in keyof ArmReport]: ArmReport[K] } & {
  failed: ArmReport['failed'][number][];
};

/** How a project is synced. */
export interface SyncOptions {
  /** What the claims port has stored for the project, if the caller has just read it. Default: the port is asked. */
  readonly stored?: Stored | null | undefined;
  /**
   * Whether another process owned the project until just now. Slots that became due in between count as late, not
   * as missed. Default: false.
   */
  readonly isTakenOver?: boolean;
}

interface Found {
  readonly ahead: AllAhead;
  readonly isTakenOver: boolean;
}

/** Why a wanted trigger is not armed yet. */
export const ARMING = 'It is being armed.';
/** Armings stored in one call. */
const CHUNK = 500;

/** Brings what is armed in line with what is wanted, first in the store and then in memory. */
export class Armer {
  private readonly parts: ArmerParts;

  constructor(parts: ArmerParts) {
    this.parts = parts;
  }

  async sync(
    project: Slug,
    wanted: readonly ArmRequest[],
    { stored: known = null, isTakenOver = false }: SyncOptions = {},
  ): Promise<ArmReport> {
    const ids = idsOf(project, wanted);
    const stored = known ?? (await this.ask(() => this.parts.claims.loadProject(project)));
    const draft: Draft = { armed: 0, rearmed: 0, disarmed: 0, unchanged: 0, failed: [] };
    const todos = await this.compare(wanted, stored, draft);
    try {
      await this.disarm(project, ids, stored, draft);
      const ahead = await this.ask(() => this.parts.claims.ahead(project, this.parts.clock.now()));
      for (let from = 0; from < todos.length; from += CHUNK) {
        await this.arm(todos.slice(from, from + CHUNK), { ahead, isTakenOver }, draft);
      }
    } catch (error) {
      const reason = `It could not be armed: ${messageOf(error)}`;
      for (const { entry } of todos) if (entry.recurrence === null) this.refuse(entry, reason);
      throw error;
    }
    return draft;
  }

  /** Counts unchanged entries and removes changed ones from the heap. */
  private async compare(
    wanted: readonly ArmRequest[],
    stored: Stored,
    draft: Draft,
  ): Promise<Todo[]> {
    const { agenda } = this.parts;
    const todos: Todo[] = [];
    for (const request of wanted) {
      const cursor = stored.get(triggerId(request.key));
      const entry = agenda.get(request.key);
      if (entry !== undefined && staysArmed(entry, request, cursor)) {
        if (sameHandling(entry.request, request)) draft.unchanged += 1;
        else draft.rearmed += 1;
        renew(entry, request);
        agenda.delay(entry);
      } else {
        if (entry !== undefined) this.leave(entry, request);
        const fresh = new Entry(request, null, 0);
        this.refuse(fresh, ARMING);
        agenda.add(fresh);
        todos.push({ entry: fresh, stored: cursor, known: (entry?.recurrence ?? null) !== null });
      }
      await this.yieldToEventLoop();
    }
    return todos;
  }

  private leave(entry: Entry, { schedule, scheduleHash }: ArmRequest): void {
    const { agenda } = this.parts;
    agenda.remove(entry);
    const isOther = entry.request.scheduleHash !== scheduleHash;
    if (isOther && schedule.kind === 'cron') agenda.math.forget(schedule.recurrence);
  }

  private async disarm(
    project: Slug,
    wanted: ReadonlySet<TriggerId>,
    stored: Stored,
    draft: Draft,
  ): Promise<void> {
    const { agenda, claimer, claims } = this.parts;
    const unwanted = new Set([...stored.keys()].filter((id) => !wanted.has(id)));
    for (const entry of [...agenda.entriesOf(project)]) {
      const id = triggerId(entry.request.key);
      if (wanted.has(id)) continue;
      unwanted.add(id);
      agenda.remove(entry);
    }
    // A claim in flight would move the cursor that is about to be stored.
    await claimer.drained();
    if (unwanted.size === 0) return;
    await this.ask(() => claims.disarm([...unwanted].map(triggerKeyOf)));
    draft.disarmed = unwanted.size;
  }

  /** Removes a project from memory once its claims in flight have ended. The store keeps its data. */
  async release(project: Slug): Promise<void> {
    const { agenda, claimer } = this.parts;
    for (const entry of [...agenda.entriesOf(project)]) agenda.remove(entry);
    await claimer.drained();
  }

  private async arm(
    todos: readonly Todo[],
    { ahead: all, isTakenOver }: Found,
    draft: Draft,
  ): Promise<void> {
    const { clock, claims } = this.parts;
    const ready: Ready[] = [];
    const now = clock.now();
    for (const todo of todos) {
      const { request } = todo.entry;
      const start = startFrom(request, todo.stored, now);
      const recurrence = recurrenceOf(request, start.cursor.anchor);
      const slots = all.get(triggerId(request.key)) ?? [];
      const decided = { slots, cursor: todo.stored?.cursor ?? slots.at(-1)?.until ?? now };
      // Uses the instant up to which slots are withdrawn, because slots that become due meanwhile occur again.
      const ahead = aheadOf(decided, now);
      if (recurrence.ok)
        ready.push({ ...start, todo, recurrence: recurrence.value, decided, ahead });
      else this.fail(todo.entry, sentencesOf(recurrence.issues, 'The schedule'), draft);
    }
    const touched = ready.map(({ todo, ...rest }) => ({ ...rest, entry: todo.entry }));
    await this.ask(() => this.parts.stepBack.takeBack(touched, now));
    const changed = ready.filter((one) => one.store);
    if (changed.length > 0)
      await this.ask(() =>
        claims.arm(changed.map(({ todo, cursor }) => armedTrigger(todo.entry.request, cursor))),
      );
    for (const one of ready) {
      this.place(one, isTakenOver, draft);
      await this.yieldToEventLoop();
    }
    this.parts.onArmed();
  }

  private place(ready: Ready, isTakenOver: boolean, draft: Draft): void {
    const { clock, spreadMs, agenda } = this.parts;
    const { cursor, recurrence, ahead } = ready;
    const { entry, known } = ready.todo;
    const now = clock.now();
    entry.recurrence = recurrence;
    entry.trouble = ahead === null ? null : { error: null, attempts: 0, ahead };
    const next = agenda.nextOf(entry, cursor.cursor);
    const delayMs = entry.request.delayMs ?? 0;
    const hasPassed = next.ok && next.value !== null && next.value + delayMs <= now;
    // After a takeover, the other process owned the project until just now.
    if (ready.resumed && !isTakenOver && hasPassed) {
      const regular = agenda.nextOf(entry, now - delayMs);
      agenda.take(entry, next.value);
      entry.wait = { judgedAt: now, armedAt: now };
      const before = regular.ok && regular.value !== null ? regular.value + delayMs : null;
      agenda.wait(entry, lateSlotPoint(entry.request, now, before, spreadMs));
    } else {
      agenda.place(entry, cursor.cursor, next);
    }
    if (!isArmed(entry)) draft.failed.push(failureOf(entry));
    else if (known) draft.rearmed += 1;
    else draft.armed += 1;
  }

  private fail(entry: Entry, reason: string, draft: Draft): void {
    this.refuse(entry, reason);
    draft.failed.push(failureOf(entry));
  }

  private refuse(entry: Entry, error: string): void {
    entry.trouble = { error, attempts: 0, ahead: null };
  }

  private async yieldToEventLoop(): Promise<void> {
    if (!this.parts.timeSlice.isSpent) return;
    await this.parts.timeSlice.yieldNow();
    this.parts.ensureOpen();
  }

  private async ask<T>(question: () => Promise<T>): Promise<T> {
    const answer = await asStored(question);
    this.parts.ensureOpen();
    return answer;
  }
}

function idsOf(project: Slug, wanted: readonly ArmRequest[]): ReadonlySet<TriggerId> {
  const ids = new Set<TriggerId>();
  for (const { key } of wanted) {
    const id = triggerId(key);
    if (key.project !== project) {
      throw new SchedulerError('foreign_key', 'Every request must name the project of the call.', {
        facts: { project, key },
      });
    }
    if (ids.has(id)) {
      throw new SchedulerError('duplicate_key', 'Every trigger must be requested once only.', {
        facts: { key },
      });
    }
    ids.add(id);
  }
  return ids;
}

function staysArmed(entry: Entry, request: ArmRequest, stored: SlotCursor | undefined): boolean {
  const { scheduleHash } = request;
  const { recurrence } = entry;
  if (recurrence === null || entry.request.scheduleHash !== scheduleHash) return false;
  if (stored?.scheduleHash !== scheduleHash) return false;
  // Another process may have restarted the grid of the interval.
  return recurrence.kind === 'cron' || recurrence.anchorMs === stored.anchor;
}

function renew(entry: Entry, request: ArmRequest): void {
  entry.request = request;
  if (request.schedule.kind === 'cron') entry.recurrence = request.schedule.recurrence;
}

function failureOf(entry: Entry): ArmReport['failed'][number] {
  return { key: entry.request.key, reason: entry.trouble?.error ?? '' };
}

/** Whether two requests treat their slots alike. */
function sameHandling(one: ArmRequest, other: ArmRequest): boolean {
  const isCaughtUpAlike =
    one.catchUp === other.catchUp && one.catchUpWindowMs === other.catchUpWindowMs;
  return isCaughtUpAlike && (one.delayMs ?? 0) === (other.delayMs ?? 0);
}
