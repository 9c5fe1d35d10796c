export type { InstanceBounds } from './capability.ts';
export {
  type Change,
  type ChangeFeed,
  createChangeFeed,
  type FeedItem,
  type NumberedChange,
} from './changes.ts';
export type { ChatOperations, ChatWithMessages } from './chats.ts';
export { type OpsDeps, type OpsSettings, type RunObserver, USER } from './deps.ts';
export type { OperationCode, OperationError } from './errors.ts';
export type { Fired } from './firing.ts';
export { createOps, type Load, type Ops } from './ops.ts';
export { type Preview, type PreviewRequest, preview } from './preview.ts';
export type { NewProject, ProjectOperations, ProjectView } from './project-operations.ts';
export type { RunOperations, RunQuery } from './runs.ts';
export type { AcceptedTrigger, EditCondition, TriggerEdits } from './trigger-edits.ts';
export type {
  Catalog,
  InvalidEntry,
  ListedTrigger,
  RuntimeState,
  TriggerList,
  TriggerOperations,
} from './triggers.ts';
export type { PlannedFire } from './upcoming.ts';
