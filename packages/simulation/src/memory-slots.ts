import { type SlotClaim, type SlotCursor, type TriggerId, triggerId } from '@svc/records';
import type { SlotClaims } from '@svc/scheduler';

/** Stores armed schedules and decided slots in memory, for one scheduler whose clock is never set back. */
export function createMemorySlots(): SlotClaims {
  const armings = new Map<TriggerId, SlotCursor>();
  let minted = 0;
  const take = ({ key, scheduleHash, from, until }: SlotClaim): boolean => {
    const id = triggerId(key);
    const cursor = armings.get(id);
    if (cursor?.scheduleHash !== scheduleHash || from <= cursor.cursor) return false;
    armings.set(id, { ...cursor, cursor: until });
    return true;
  };
  return {
    loadProject: async (project) =>
      new Map([...armings].filter(([id]) => id.startsWith(`${project}/`))),
    async arm(batch) {
      for (const { key, cursor } of batch) armings.set(triggerId(key), cursor);
    },
    async disarm(keys) {
      for (const key of keys) armings.delete(triggerId(key));
    },
    claim: async (batch) =>
      batch.map((claim) => {
        if (!take(claim)) return { won: false };
        minted += 1;
        return { won: true, runId: String(minted) };
      }),
    ahead: async () => new Map(),
    takeBack: async () => {},
  };
}
