export type {
  AlertDelivery,
  AlertNotification,
  DeliveryCounts,
  RunSum,
  TriedDelivery,
} from './alerts/alert-rows.ts';
export type { Alerts } from './alerts/alerts.ts';
export type { ChangeRule, PrunedChanges } from './changes/change-pruning.ts';
export type { NewChange } from './changes/change-rows.ts';
export type {
  ChangeNote,
  Changes,
  KeptNote,
  KnownEntry,
  Seen,
} from './changes/changes.ts';
export type { ServiceSpan, ServiceSpans } from './changes/service-spans.ts';
export type { ChatFilter, ListedChats } from './chats/chat-list.ts';
export type { NewChat } from './chats/chat-writes.ts';
export type { ChatDetail, Chats, OwnedChat } from './chats/chats.ts';
export type { ArmingCache, CachedArming } from './claims/arming-cache.ts';
export type { Arming } from './claims/bulk-arming.ts';
export type { Claims } from './claims/claims.ts';
export type { TriggerMemory } from './claims/triggers.ts';
export type { GoneNode, NodePlace } from './cluster/gone-nodes.ts';
export type { GoodTexts } from './cluster/good-texts.ts';
export type { HeldName, NameLocks } from './cluster/locks.ts';
export type { GoneNodes, Nodes, ServiceNode, SilentNode, Traits } from './cluster/nodes.ts';
export type { KnownFolder, ProjectsFolder } from './cluster/projects-folder.ts';
export type { HeardSignal, Signal, Signals } from './cluster/signals.ts';
export type { Connectivity } from './database/connectivity.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export type { EventFilter, EventPage, EventRun, ListedEvent } from './events/event-pages.ts';
export type {
  Dispatch,
  EventBacklog,
  Events,
  RaisedEvent,
  UnopenedRun,
  WaitingEvent,
} from './events/events.ts';
export { type CopiedStore, type CopyOptions, copyStore } from './postgres/copying.ts';
export { createDatabaseClock, type DatabaseClock } from './postgres/database-clock.ts';
export { examineServer, type Kept, keptInFile, keptOnServer } from './postgres/server-look.ts';
export type {
  DatabaseSize,
  LookedAt,
  LookPlace,
  PrunedRuns,
  Retention,
} from './retention/retention.ts';
export type { PrunedStep, PruningPlace, RetentionRule } from './retention/retention-rule.ts';
export type {
  FailureGuard,
  PausedAll,
  PausedTrigger,
  Pausing,
  ProjectGuards,
} from './runs/pausing.ts';
export type { RecentRun } from './runs/recent-runs.ts';
export type { RunFilter } from './runs/run-list.ts';
export type { ClaimedRun, NewRun, Runs } from './runs/runs.ts';
export type { Stretch } from './runs/runs-around.ts';
export type { TriggerSigns } from './runs/trigger-signs.ts';
export type { SessionRow, Sessions } from './sessions.ts';
export type { DatabaseCopy } from './sqlite/copies.ts';
export {
  type ExaminedFile,
  examineFile,
  openClosed,
  withoutSignIns,
} from './sqlite/database-file.ts';
export { examineDatabase } from './sqlite/sqlite.ts';
export { openStore, type Store, type StoreOptions } from './store.ts';
export type { TurnTicket } from './turns/fair-queue.ts';
export type { TurnInstructions } from './turns/instructions.ts';
export { createTurnQueue, type TurnLimits, type TurnQueue } from './turns/queue.ts';
export {
  createSharedTurnQueue,
  type SharedQueueDeps,
  type StopCodec,
} from './turns/shared-queue.ts';
export type {
  DailyLimits,
  EndedTurn,
  OpenTurn,
  TurnEnding,
  TurnOpening,
  TurnUsed,
} from './turns/turn.ts';
export type { TurnMessage, TurnMessages, TurnMessagesBounds } from './turns/turn-messages.ts';
export type { RunningTurn, Turns } from './turns/turns.ts';
export type { CostOwner } from './usage/budget-cost.ts';
export type { DayUse } from './usage/day-use.ts';
export {
  NOTHING_USED,
  type TriggerUsage,
  type Usage,
  type Used,
  usedTogether,
} from './usage/usage.ts';
