export { type Caller, clientCaller, USER } from './caller.ts';
export type { InstanceBounds } from './capability.ts';
export {
  type Change,
  type ChangeFeed,
  createChangeFeed,
  type FeedItem,
  type NumberedChange,
} from './changes.ts';
export type { ChatOperations, ChatWithMessages } from './chats.ts';
export type { OpsDeps, OpsSettings, RunObserver } from './deps.ts';
export type { OperationCode, OperationError } from './errors.ts';
export type { Fired } from './firing.ts';
export { type KeeperGates, keeperOperations } from './keeper-gates.ts';
export type {
  Operation,
  OperationEffect,
  OperationPolicy,
  OperationTarget,
} from './operations/operation.ts';
export type { CallError, CallResult, Operations } from './operations/operations.ts';
export { createOps, type Load, type Ops } from './ops.ts';
export { type Preview, type PreviewRequest, preview } from './preview.ts';
export type {
  CreatedProject,
  NewProject,
  ProjectOperations,
  ProjectView,
} from './project-operations.ts';
export { entryWarnings } from './prompt-warnings.ts';
export type { RunOperations, RunQuery } from './runs.ts';
export type { AcceptedTrigger, TriggerEdits } from './trigger-edits.ts';
export type { EditCondition } from './trigger-file.ts';
export type {
  Catalog,
  InvalidEntry,
  ListedTrigger,
  RuntimeState,
  TriggerList,
  TriggerOperations,
} from './triggers.ts';
export type { PlannedFire } from './upcoming.ts';
