import {
  type SlotClaim,
  type SlotCursor,
  type SlotsAhead,
  type SlotVerdict,
  type TakeBack,
  type TriggerId,
  triggerId,
} from '@svc/records';
import type { ArmedTrigger, SlotClaims } from '@svc/scheduler';

/** Armings and decided slots in memory, by the rules of the port; a test can make it fail, wait or lose. */
export interface MemoryClaims extends SlotClaims {
  readonly armings: Map<TriggerId, SlotCursor>;
  readonly definitions: Map<TriggerId, string>;
  /** Won claims, in the order of winning. */
  readonly won: SlotClaim[];
  readonly lost: SlotClaim[];
  /** The rows of decided slots, in the order of the decisions. */
  readonly rows: Map<TriggerId, SlotsAhead[]>;
  readonly takenBack: TakeBack[];
  /** Sizes of the batches of all calls of `claim`. */
  readonly batches: number[];
  readonly armCalls: (readonly ArmedTrigger[])[];
  /** When set, the named operation rejects with it. */
  fault: { load?: Error | null; arm?: Error | null; disarm?: Error | null; claim?: Error | null };
  /** If true, a claim is stored but its call rejects. */
  losesAnswers: boolean;
  /** If set, every claim waits for it before it is stored. */
  gate: Promise<void> | null;
}

export function createMemoryClaims(): MemoryClaims {
  const runs = new Set<string>();
  let minted = 0;
  const claims: MemoryClaims = {
    armings: new Map(),
    definitions: new Map(),
    won: [],
    lost: [],
    rows: new Map(),
    takenBack: [],
    batches: [],
    armCalls: [],
    fault: {},
    losesAnswers: false,
    gate: null,
    async loadProject(project) {
      if (claims.fault.load) throw claims.fault.load;
      return new Map([...claims.armings].filter(([id]) => id.startsWith(`${project}/`)));
    },
    async arm(batch) {
      if (claims.fault.arm) throw claims.fault.arm;
      claims.armCalls.push(batch);
      for (const { key, cursor, definitionHash } of batch) {
        claims.armings.set(triggerId(key), cursor);
        claims.definitions.set(triggerId(key), definitionHash);
      }
    },
    async disarm(keys) {
      if (claims.fault.disarm) throw claims.fault.disarm;
      for (const key of keys) claims.armings.delete(triggerId(key));
    },
    async claim(batch) {
      claims.batches.push(batch.length);
      if (claims.gate !== null) await claims.gate;
      if (claims.fault.claim) throw claims.fault.claim;
      const losers = new Set<TriggerId>();
      const verdicts = batch.map((claim) => decide(claim, losers));
      if (claims.losesAnswers) throw new Error('connection lost');
      return verdicts;
    },
    async ahead(project, now) {
      if (claims.fault.load) throw claims.fault.load;
      const found = [...claims.rows].flatMap(([id, rows]) => {
        const from = Math.min(now, claims.armings.get(id)?.cursor ?? now);
        const ahead = rows.filter(({ until }) => until > from).sort((a, b) => a.from - b.from);
        return id.startsWith(`${project}/`) && ahead.length > 0 ? [[id, ahead] as const] : [];
      });
      return new Map(found);
    },
    async takeBack(batch) {
      claims.takenBack.push(...batch);
      for (const { key, now, cuts } of batch) {
        const id = triggerId(key);
        const cursor = claims.armings.get(id);
        if (cursor !== undefined && cursor.cursor > now)
          claims.armings.set(id, {
            ...cursor,
            cursor: now,
            armedSince: Math.min(cursor.armedSince, now),
          });
        const rows = (claims.rows.get(id) ?? []).flatMap((row) => {
          const cut = cuts.find(({ slots }) => slots === row);
          if (cut === undefined) return row;
          return cut.kept === null ? [] : { ...row, ...cut.kept };
        });
        claims.rows.set(id, rows);
      }
    },
  };
  const decide = (claim: SlotClaim, losers: Set<TriggerId>): SlotVerdict => {
    const id = triggerId(claim.key);
    const cursor = claims.armings.get(id);
    const slot = `${id}@${claim.from}`;
    const isOther = cursor?.scheduleHash !== claim.scheduleHash;
    if (isOther || claim.from <= cursor.cursor || runs.has(slot) || losers.has(id)) {
      losers.add(id);
      claims.lost.push(claim);
      return { won: false };
    }
    claims.armings.set(id, { ...cursor, cursor: claim.until });
    if (claim.as === 'run') runs.add(slot);
    claims.won.push(claim);
    minted += 1;
    const runId = `00000000-0000-7000-8000-${String(minted).padStart(12, '0')}`;
    const { from, until, count } = claim;
    const row = { runId, from, until, count, ran: claim.as === 'run' };
    const rows = claims.rows.get(id);
    if (rows === undefined) claims.rows.set(id, [row]);
    else rows.push(row);
    return { won: true, runId };
  };
  return claims;
}
