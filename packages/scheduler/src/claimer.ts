import type { Logger } from '@svc/core';
import { type SlotClaim, type SlotVerdict, type Slug, triggerId } from '@svc/records';
import type { Decision } from './collector.ts';
import { SchedulerError } from './errors.ts';
import type { Fire, MissedSlots } from './fire.ts';
import type { Incident } from './incident.ts';
import type { Placement } from './placement.ts';
import type { SlotClaims } from './slot-claims.ts';

/** The collaborators of a `Claimer`. */
export interface ClaimerParts {
  readonly logger: Logger;
  readonly claims: SlotClaims;
  readonly onFire: (fires: readonly Fire[]) => void | Promise<void>;
  readonly onMissed: (missed: readonly MissedSlots[]) => void;
  readonly maxInFlight: number;
  readonly incident: Incident;
  readonly placement: Placement;
}

const DISARMED_ELSEWHERE =
  'Its arming was removed from the store; the next change of its project arms it again.';

/** Claims what was decided, hands won runs over, and sends every entry on its way. */
export class Claimer {
  private readonly parts: ClaimerParts;
  private readonly inFlight = new Set<Promise<void>>();

  constructor(parts: ClaimerParts) {
    this.parts = parts;
  }

  /** Waits until one more claim may be started; while claims fail, one at a time. */
  async free(): Promise<void> {
    const { incident, maxInFlight } = this.parts;
    while (this.inFlight.size >= (incident.attempt > 0 ? 1 : maxInFlight)) {
      await Promise.race(this.inFlight);
    }
  }

  /** Waits until every claim that is in flight now has come to its end. */
  async drained(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  /** Starts one claim; `onEnd` is called when its entries wait again. */
  start(decisions: readonly Decision[], onEnd: () => void): void {
    const claim = this.claim(decisions).finally(() => {
      this.inFlight.delete(claim);
      onEnd();
    });
    this.inFlight.add(claim);
  }

  /** Nothing was decided after all: the entries wait with the slots they have. */
  private giveBack(decisions: readonly Decision[]): void {
    for (const { entry } of decisions) this.parts.placement.wait(entry, entry.slot);
  }

  private async claim(decisions: readonly Decision[]): Promise<void> {
    const { incident } = this.parts;
    const { attempt } = incident;
    const claims = decisions.flatMap((decision) => decision.claims);
    const claimedAt = claims[0]?.claimedAt ?? 0;
    let verdicts: readonly SlotVerdict[];
    try {
      verdicts = await this.verdictsOn(claims);
    } catch (error) {
      incident.failed(error, attempt, claimedAt);
      this.giveBack(decisions);
      return;
    }
    incident.recovered();
    const fires = firesOf(claims, verdicts);
    if (fires.length > 0) void this.fire(fires);
    const missed = missedOf(claims, verdicts);
    if (missed.length > 0) this.parts.onMissed(missed);
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
      this.parts.logger.error(
        { err: error, fires: fires.length },
        'Won slots could not be started.',
      );
    }
  }

  /** Sends entries on; gives those of which it is not known up to where somebody else decided. */
  private settle(decisions: readonly Decision[], verdicts: readonly SlotVerdict[]): Lost[] {
    const { placement } = this.parts;
    const open: Lost[] = [];
    let at = 0;
    for (const decision of decisions) {
      const { entry, claims, next } = decision;
      const mine = verdicts.slice(at, at + claims.length);
      at += claims.length;
      const lost = claims[mine.findIndex((verdict) => !verdict.won)];
      const last = claims[claims.length - 1];
      if (lost !== undefined && lost.from !== lost.until) open.push({ decision, claim: lost });
      else if (lost !== undefined && lost !== last) placement.advance(entry, lost.until);
      else if (last !== undefined) {
        entry.wait = null;
        placement.place(entry, last.until, next);
      }
    }
    return open;
  }

  /** Somebody else decided at least the first slot of a claim on several; the store knows how many. */
  private async reload(project: Slug, lost: readonly Lost[]): Promise<void> {
    const { claims, incident, placement } = this.parts;
    const { attempt } = incident;
    try {
      const stored = await claims.loadProject(project);
      for (const { decision, claim } of lost) {
        const cursor = stored.get(triggerId(claim.key))?.cursor;
        if (cursor === undefined) placement.forget(decision.entry, DISARMED_ELSEWHERE);
        else placement.advance(decision.entry, Math.max(cursor, claim.from));
      }
    } catch (error) {
      incident.failed(error, attempt, lost[0]?.claim.claimedAt ?? 0);
      this.giveBack(lost.map(({ decision }) => decision));
    }
  }
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
      lateMs: claim.claimedAt - claim.from,
      catchUp: claim.catchUp,
    });
  });
  return fires;
}

function missedOf(claims: readonly SlotClaim[], verdicts: readonly SlotVerdict[]): MissedSlots[] {
  return claims.flatMap((claim, index) => {
    const verdict = verdicts[index];
    if (claim.as !== 'missed' || verdict === undefined || !verdict.won) return [];
    const { key, from, until, count, reason, claimedAt } = claim;
    return [{ key, runId: verdict.runId, from, until, count, reason, lateMs: claimedAt - from }];
  });
}
