import type { RunOutcome, TriggerKey } from '@svc/records';
import type { RetentionRule, Store } from '@svc/store';
import { ending, key, opening, slot, T0 } from './harness.ts';

export const NOW = T0 + 86_400_000;
export const rule = (changes: Partial<RetentionRule> = {}): RetentionRule => ({
  ...{ runs: 2, since: null, keepsFailure: true, now: NOW },
  ...changes,
});

interface Fired {
  readonly outcome?: RunOutcome;
  readonly of?: TriggerKey;
  /** The chat that it continues. */
  readonly sessionId?: string;
  readonly text?: string;
}

/** A run of a slot, from its claim to its end. */
export async function fire(
  store: Store,
  at: number,
  { outcome = 'succeeded', of = key, sessionId, text = 'Do it.' }: Fired = {},
) {
  const [verdict] = await store.claims.claim([slot(at, { key: of })]);
  if (!verdict?.won) throw new Error('The slot was not claimed.');
  const inChat = sessionId === undefined ? {} : { sessionId, chat: null };
  const message = { role: 'user', kind: 'text', text, tool: null } as const;
  const begun = opening({ at, run: { claimed: verdict.runId }, messages: [message], ...inChat });
  await store.turns.open(begun);
  await store.turns.start(begun.turnId, at, at + 60_000, 'node');
  await store.turns.end(begun.turnId, { ...ending, outcome }, at + 10);
  return { ...begun, runId: verdict.runId };
}

export async function prune(store: Store, how: RetentionRule, of: TriggerKey = key, limit = 3) {
  const removed = { runs: 0, chats: 0, messages: 0 };
  let place = await store.retention.place(of, how);
  for (;;) {
    const { next, ...step } = await store.retention.prune(of, how, place, limit);
    removed.runs += step.runs;
    removed.chats += step.chats;
    removed.messages += step.messages;
    if (next === null) return removed;
    place = next;
  }
}
