import { type Clock, isoTime, type Logger, messageOf } from '@svc/core';
import { type SlotCursor, type Slug, type TriggerKey, triggerId } from '@svc/records';
import type { Recurrence } from '@svc/recurrence';
import type { Agenda } from './agenda.ts';
import { aheadOf, type Decided, openingOf, takeBackOf } from './ahead.ts';
import type { Claimer } from './claiming.ts';
import type { ArmedTrigger, ArmRequest, SlotClaims } from './contract.ts';
import type { Entry } from './entry.ts';
import { SchedulerError } from './errors.ts';
import { recurrenceOf } from './slots.ts';

/** The collaborators of a `StepBack`. */
export interface StepBackParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: SlotClaims;
  readonly agenda: Agenda;
  readonly claimer: Claimer;
  /** Throws once the scheduler is closed. */
  readonly ensureOpen: () => void;
}

/** A trigger with decided slots in the future. */
interface Touched {
  readonly entry: Entry;
  readonly recurrence: Recurrence;
  readonly decided: Decided;
}

/** Handles a clock that was set back: a slot that ran stays decided, any other occurs again. */
export class StepBack {
  private readonly parts: StepBackParts;

  constructor(parts: StepBackParts) {
    this.parts = parts;
  }

  /** Reviews a project. Returns false if something was being decided meanwhile; then it must be reviewed again. */
  async review(project: Slug): Promise<boolean> {
    const { clock, claims, agenda, claimer, ensureOpen } = this.parts;
    await claimer.drained();
    ensureOpen();
    const stored = await claims.loadProject(project);
    const now = clock.now();
    const ahead = await claims.ahead(project, now);
    const touched: Touched[] = [];
    let isWhole = true;
    for (const entry of agenda.entriesOf(project)) {
      const id = triggerId(entry.request.key);
      const decided = { slots: ahead.get(id) ?? [], cursor: stored.get(id)?.cursor ?? now };
      const { recurrence } = entry;
      if (!isAhead(decided, now) || recurrence === null) continue;
      if (waits(entry)) touched.push({ entry, recurrence, decided });
      else isWhole = false;
    }
    await this.takeBack(touched, now);
    for (const { entry, decided } of touched) {
      // It may have been withdrawn, or be due again, while the store was written.
      if (!waits(entry)) continue;
      agenda.restart(entry, Math.min(decided.cursor, now), aheadOf(decided, now));
    }
    return isWhole;
  }

  /** Withdraws the decisions about slots in the future, except for those that ran. */
  async takeBack(all: readonly Touched[], now: number): Promise<void> {
    const batch = all.flatMap(({ entry, recurrence, decided }) => {
      const { key } = entry.request;
      return isAhead(decided, now) ? (takeBackOf(key, recurrence, decided, now) ?? []) : [];
    });
    const [first] = batch;
    if (first === undefined) return;
    await this.parts.claims.takeBack(batch);
    const decidedUntil = isoTime(Math.max(...batch.map((one) => one.decidedUntil)));
    this.parts.logger.warn(
      { project: first.key.project, triggers: batch.length, decidedUntil },
      'clock set back; decisions about future slots withdrawn',
    );
  }

  /** Starts the grid of an interval again at an instant that shares no slot with the earlier grid. */
  async restartGrid(key: TriggerKey, entry: Entry): Promise<boolean> {
    const { clock, claims, agenda, claimer } = this.parts;
    const { request, recurrence } = entry;
    await claimer.drained();
    if (recurrence?.kind !== 'interval' || !waits(entry)) return false;
    const now = clock.now();
    const isSameGrid = (now - recurrence.anchorMs) % recurrence.periodMs === 0;
    const anchor = isSameGrid ? now + 1 : now;
    const fresh = recurrenceOf(request, anchor);
    if (!fresh.ok) return false;
    const cursor = { scheduleHash: request.scheduleHash, anchor, armedSince: now, cursor: now };
    await asStored(async () => {
      const slots = (await claims.ahead(key.project, now)).get(triggerId(key)) ?? [];
      await claims.takeBack(openingOf(key, slots, now));
      await claims.arm([armedTrigger(request, cursor)]);
    });
    entry.recurrence = fresh.value;
    agenda.restart(entry, now, null);
    return true;
  }
}

/** Returns the result of the claims port, or throws `not_stored`. */
export async function asStored<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new SchedulerError(
      'not_stored',
      `The store of armings failed (${messageOf(cause)}); call sync again.`,
      { cause },
    );
  }
}

export function armedTrigger(
  { key, definitionHash }: ArmRequest,
  cursor: SlotCursor,
): ArmedTrigger {
  return { key, cursor, definitionHash };
}

function isAhead({ slots, cursor }: Decided, now: number): boolean {
  return slots.length > 0 || cursor > now;
}

function waits(entry: Entry): boolean {
  return entry.heapIndex >= 0 && (entry.phase === 'waiting' || entry.phase === 'faulty');
}
