export type { ChatDetail, ChatFilter, Chats, NewChat, StoredEvent } from './chats.ts';
export type { Arming, Claims } from './claims.ts';
export { StoreError } from './errors.ts';
export type { TurnTicket } from './lines.ts';
export { createTurnQueue, type TurnLimits, type TurnQueue } from './queue.ts';
export type { ClaimedRun, NewRun, RunFilter, Runs } from './runs.ts';
export { openStore, type Store } from './store.ts';
export type { TriggerMemory } from './triggers.ts';
export type { OpenTurn, TurnEnding, TurnOpening, Turns } from './turns.ts';
