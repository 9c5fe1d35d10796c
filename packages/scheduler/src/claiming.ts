import { type Clock, failureLevel, type Logger, messageOf } from '@svc/core';
import {
  MISSED_REASONS,
  type SlotClaim,
  type SlotCursor,
  type SlotVerdict,
  type Slug,
  triggerId,
} from '@svc/records';
import type { Agenda } from './agenda.ts';
import type { Downtime } from './clocks.ts';
import type { Fire, MissedSlots, SlotClaims } from './contract.ts';
import type { Decision } from './deciding.ts';
import { dueAt } from './entry.ts';
import { SchedulerError } from './errors.ts';
import { STEP_MS } from './limits.ts';

const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** A period in which the claims port fails. Claiming then pauses for 1 s, doubling up to 60 s. */
export class ClaimBackoff {
  private readonly clock: Clock;
  private readonly logger: Logger;
  private readonly downtime: Downtime;
  private attempts = 0;
  private heldUntil = 0;
  private isReported = false;
  private message: string | null = null;

  constructor(clock: Clock, logger: Logger, downtime: Downtime) {
    this.clock = clock;
    this.logger = logger;
    this.downtime = downtime;
  }

  /** Identifies the attempt that a claim belongs to; above 0 while the failure lasts. */
  get attempt(): number {
    return this.attempts;
  }

  /** What is wrong, in one sentence, or null. */
  get error(): string | null {
    return this.message;
  }

  /** Milliseconds until claiming may be tried again. */
  get heldFor(): number {
    return this.attempts === 0 ? 0 : Math.max(this.heldUntil - this.clock.mono(), 0);
  }

  /** Records that a claim of the given attempt, decided at `claimedAt`, failed. Simultaneous failures count once. */
  failed(error: unknown, attempt: number, claimedAt: number): void {
    this.message = `Its slot could not be claimed yet: ${messageOf(error)}`;
    if (attempt !== this.attempts) return;
    if (this.attempts === 0) {
      // Slots that were claimed on time lie shortly before the decision.
      this.downtime.begin(MISSED_REASONS.notRecorded, claimedAt - STEP_MS);
      const level = failureLevel(error, 'error');
      this.isReported = level === 'error';
      this.logger[level]({ err: error }, 'cannot claim slots; retrying');
    }
    const pause = Math.min(FIRST_BACKOFF_MS * 2 ** this.attempts, MAX_BACKOFF_MS);
    this.heldUntil = this.clock.mono() + pause;
    this.attempts += 1;
  }

  /** Allows claiming immediately because the cause of the failure is gone. */
  release(): void {
    this.heldUntil = 0;
  }

  recovered(): void {
    if (this.attempts === 0) return;
    const fields = { attempts: this.attempts };
    this.logger[this.isReported ? 'info' : 'debug'](fields, 'slots can be claimed again');
    this.downtime.end(MISSED_REASONS.notRecorded, this.clock.now());
    this.attempts = 0;
    this.message = null;
  }
}

/** The collaborators of a `Claimer`. */
export interface ClaimerParts {
  readonly logger: Logger;
  readonly claims: SlotClaims;
  readonly onFire: (fires: readonly Fire[]) => void | Promise<void>;
  readonly onMissed: (missed: readonly MissedSlots[]) => void;
  readonly onLost: (projects: readonly Slug[]) => void;
  readonly maxInFlight: number;
  readonly backoff: ClaimBackoff;
  readonly agenda: Agenda;
}

const DISARMED_ELSEWHERE =
  'Its arming was removed from the store; the next change of its project arms it again.';

/** Claims decided slots, hands over the runs that were won, and reschedules every entry. */
export class Claimer {
  private readonly parts: ClaimerParts;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(parts: ClaimerParts) {
    this.parts = parts;
  }

  /** Waits until one more claim may be started. While claims fail, they are made one at a time. */
  async free(): Promise<void> {
    const { backoff, maxInFlight } = this.parts;
    while (this.inFlight.size >= (backoff.attempt > 0 ? 1 : maxInFlight)) {
      await Promise.race(this.inFlight);
    }
  }

  /** Waits until every claim that is in flight now has ended. */
  async drained(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  /** Starts one claim. Calls `onEnd` when its entries are waiting again. */
  start(decisions: readonly Decision[], onEnd: () => void): void {
    const claim = this.claim(decisions).finally(() => {
      this.inFlight.delete(claim);
      onEnd();
    });
    this.inFlight.add(claim);
  }

  /** Nothing was decided, so the entries keep waiting for the slots they have. */
  private giveBack(decisions: readonly Decision[]): void {
    for (const { entry } of decisions) this.parts.agenda.wait(entry, dueAt(entry));
  }

  private async claim(decisions: readonly Decision[]): Promise<void> {
    const { backoff } = this.parts;
    const { attempt } = backoff;
    const claims = decisions.flatMap((decision) => decision.claims);
    const claimedAt = claims[0]?.claimedAt ?? 0;
    let verdicts: readonly SlotVerdict[];
    try {
      verdicts = await this.verdictsOn(claims);
    } catch (error) {
      backoff.failed(error, attempt, claimedAt);
      this.giveBack(decisions);
      return;
    }
    backoff.recovered();
    const fires = firesOf(claims, verdicts);
    if (fires.length > 0) void this.fire(fires);
    this.tellMissed(missedOf(claims, verdicts));
    this.tellLost(claims.filter((_, n) => verdicts[n]?.won !== true));
    const open = this.settle(decisions, verdicts);
    for (const [project, lost] of bySlug(open)) await this.reload(project, lost);
  }

  private async verdictsOn(claims: readonly SlotClaim[]): Promise<readonly SlotVerdict[]> {
    const verdicts = await this.parts.claims.claim(claims);
    if (verdicts.length === claims.length) return verdicts;
    throw new SchedulerError('bad_verdicts', 'The claims port must answer every claim once.', {
      facts: { claims: claims.length, verdicts: verdicts.length },
    });
  }

  private async fire(fires: readonly Fire[]): Promise<void> {
    try {
      await this.parts.onFire(fires);
    } catch (error) {
      this.parts.logger.error({ err: error, fires: fires.length }, 'cannot start claimed slots');
    }
  }

  private tellMissed(missed: readonly MissedSlots[]): void {
    if (missed.length === 0) return;
    try {
      this.parts.onMissed(missed);
    } catch (error) {
      this.parts.logger.error({ err: error, missed: missed.length }, 'cannot report missed slots');
    }
  }

  private tellLost(lost: readonly SlotClaim[]): void {
    if (lost.length === 0) return;
    try {
      this.parts.onLost([...new Set(lost.map(({ key }) => key.project))]);
    } catch (error) {
      this.parts.logger.error({ err: error }, 'cannot report lost slots');
    }
  }

  /** Reschedules entries, and returns those that another process has decided up to an unknown slot. */
  private settle(decisions: readonly Decision[], verdicts: readonly SlotVerdict[]): Lost[] {
    const { agenda } = this.parts;
    const open: Lost[] = [];
    let at = 0;
    for (const decision of decisions) {
      const { entry, claims, next } = decision;
      const mine = verdicts.slice(at, at + claims.length);
      at += claims.length;
      const lost = claims[mine.findIndex((verdict) => !verdict.won)];
      const last = claims[claims.length - 1];
      if (lost !== undefined && lost.from !== lost.until) open.push({ decision, claim: lost });
      else if (lost !== undefined && lost !== last) agenda.advance(entry, lost.until);
      else if (last !== undefined) {
        // Slots that have passed but are not decided yet keep their lateness.
        if (!decision.isOlder) entry.wait = null;
        agenda.place(entry, last.until, next);
      }
    }
    return open;
  }

  /** Another process decided at least the first of several claimed slots. The store knows how many. */
  private async reload(project: Slug, lost: readonly Lost[]): Promise<void> {
    const { claims, backoff, agenda } = this.parts;
    const { attempt } = backoff;
    try {
      const stored = await claims.loadProject(project);
      for (const { decision, claim } of lost) {
        const armed = stored.get(triggerId(claim.key));
        if (armed === undefined) agenda.forget(decision.entry, DISARMED_ELSEWHERE);
        else agenda.advance(decision.entry, decidedUntil(armed, claim));
      }
    } catch (error) {
      backoff.failed(error, attempt, lost[0]?.claim.claimedAt ?? 0);
      this.giveBack(lost.map(({ decision }) => decision));
    }
  }
}

/** Up to which slot a lost claim on several slots is decided. */
function decidedUntil(armed: SlotCursor, claim: SlotClaim): number {
  // The process that armed another schedule decides the slots of this one, so all of them are skipped here.
  if (armed.scheduleHash !== claim.scheduleHash) return claim.until;
  return Math.max(armed.cursor, claim.from);
}

interface Lost {
  readonly decision: Decision;
  readonly claim: SlotClaim;
}

function bySlug(lost: readonly Lost[]): Map<Slug, Lost[]> {
  const groups = new Map<Slug, Lost[]>();
  for (const one of lost) {
    const { project } = one.claim.key;
    const group = groups.get(project);
    if (group === undefined) groups.set(project, [one]);
    else group.push(one);
  }
  return groups;
}

function firesOf(claims: readonly SlotClaim[], verdicts: readonly SlotVerdict[]): Fire[] {
  const fires: Fire[] = [];
  claims.forEach((claim, index) => {
    const verdict = verdicts[index];
    if (claim.as !== 'run' || verdict === undefined || !verdict.won) return;
    fires.push({
      key: claim.key,
      runId: verdict.runId,
      scheduledFor: claim.from,
      lateMs: claim.lateMs,
      catchUp: claim.catchUp,
    });
  });
  return fires;
}

function missedOf(claims: readonly SlotClaim[], verdicts: readonly SlotVerdict[]): MissedSlots[] {
  return claims.flatMap((claim, index) => {
    const verdict = verdicts[index];
    if (claim.as !== 'missed' || verdict === undefined || !verdict.won) return [];
    const { key, from, until, count, reason, lateMs } = claim;
    return [{ key, runId: verdict.runId, from, until, count, reason, lateMs }];
  });
}
