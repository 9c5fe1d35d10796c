export { examineDatabase } from './adapters/sqlite.ts';
export type {
  AlertDelivery,
  AlertNotification,
  DeliveryCounts,
  RunSum,
  TriedDelivery,
} from './alert-rows.ts';
export type { Alerts } from './alerts.ts';
export type { CostOwner } from './budget-cost.ts';
export type { Arming } from './bulk-arming.ts';
export type { ChangeRule, PrunedChanges } from './change-pruning.ts';
export type { NewChange } from './change-rows.ts';
export type {
  ChangeNote,
  Changes,
  KeptNote,
  KnownEntry,
  Seen,
} from './changes.ts';
export type { ChatFilter, ListedChats } from './chat-list.ts';
export type { NewChat } from './chat-writes.ts';
export type { ChatDetail, Chats, OwnedChat } from './chats.ts';
export type { Claims } from './claims.ts';
export type { DatabaseCopy } from './copies.ts';
export { type CopiedStore, type CopyOptions, copyStore } from './copying.ts';
export { createDatabaseClock, type DatabaseClock } from './database-clock.ts';
export { type ExaminedFile, examineFile, openClosed, withoutSignIns } from './database-file.ts';
export type { DayUse } from './day-use.ts';
export { StoreError, type StoreErrorCode } from './errors.ts';
export type { EventFilter, EventPage, EventRun, ListedEvent } from './event-pages.ts';
export type {
  Dispatch,
  EventBacklog,
  Events,
  RaisedEvent,
  UnopenedRun,
  WaitingEvent,
} from './events.ts';
export type { TurnTicket } from './fair-queue.ts';
export type { GoneNode, NodePlace } from './gone-nodes.ts';
export type { GoodTexts } from './good-texts.ts';
export type { TurnInstructions } from './instructions.ts';
export type { HeldName, NameLocks } from './locks.ts';
export type { KeptArming, Memory } from './memory.ts';
export type { GoneNodes, Nodes, ServiceNode, SilentNode, Traits } from './nodes.ts';
export type {
  FailureGuard,
  PausedAll,
  PausedTrigger,
  Pausing,
  ProjectGuards,
} from './pausing.ts';
export type { KnownFolder, ProjectsFolder } from './projects-folder.ts';
export { createTurnQueue, type TurnLimits, type TurnQueue } from './queue.ts';
export type { Reach } from './reach.ts';
export type { RecentRun } from './recent-runs.ts';
export type { DatabaseSize, LookedAt, LookPlace, PrunedRuns, Retention } from './retention.ts';
export type { PrunedStep, PruningPlace, RetentionRule } from './retention-rule.ts';
export type { RunFilter } from './run-list.ts';
export type { ClaimedRun, NewRun, Runs } from './runs.ts';
export type { Stretch } from './runs-around.ts';
export { examineServer, type Kept, keptInFile, keptOnServer } from './server-look.ts';
export type { ServiceSpan, ServiceSpans } from './service-spans.ts';
export type { SessionRow, Sessions } from './sessions.ts';
export { createSharedTurnQueue, type SharedQueueDeps, type StopWords } from './shared-queue.ts';
export type { HeardSignal, Signal, Signals } from './signals.ts';
export { openStore, type Store, type StoreOptions } from './store.ts';
export type { TriggerSigns } from './trigger-signs.ts';
export type { TriggerMemory } from './triggers.ts';
export type {
  DailyLimits,
  EndedTurn,
  OpenTurn,
  TurnEnding,
  TurnOpening,
  TurnUsed,
} from './turn.ts';
export type { TurnMessage, TurnMessages, TurnMessagesBounds } from './turn-messages.ts';
export type { RunningTurn, Turns } from './turns.ts';
export {
  NOTHING_USED,
  type TriggerUsage,
  type Usage,
  type Used,
  usedTogether,
} from './usage.ts';
