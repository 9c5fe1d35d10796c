export { type Caller, clientCaller, USER } from './caller.ts';
export {
  type Change,
  type ChangeFeed,
  createChangeFeed,
  type FeedItem,
  type NumberedChange,
} from './changes.ts';
export type { KeeperGates, OpsDeps, OpsSettings, RunObserver } from './deps.ts';
export type { OperationCode, OperationError } from './errors.ts';
export type { CallError, CallOptions, Operations } from './gate.ts';
export type { Fired } from './nouns/firing.ts';
export type { Nouns } from './nouns/nouns.ts';
export { type Preview, type PreviewRequest, preview } from './nouns/preview.ts';
export type { ProjectHealth } from './nouns/project-health.ts';
export type {
  CreatedProject,
  NewProject,
  ProjectView,
  ProjectWithHealth,
} from './nouns/projects.ts';
export type { ListedPromptFile, PromptText } from './nouns/prompt-files.ts';
export { entryWarnings } from './nouns/prompt-warnings.ts';
export type { ScheduleFacts } from './nouns/schedule-facts.ts';
export type { AcceptedTrigger, Verdict } from './nouns/trigger-edits.ts';
export type { ForeseenEdit } from './nouns/trigger-file.ts';
export type {
  Catalog,
  InvalidEntry,
  ListedSchedule,
  ListedTrigger,
  TriggerList,
} from './nouns/trigger-list.ts';
export type { RuntimeState } from './nouns/trigger-states.ts';
export type { FrequentTrigger, Plan, PlannedFire } from './nouns/upcoming.ts';
export type { Catalogue } from './operations/catalogue.ts';
export { exactly, issueSchema, listOf, text } from './operations/common.schema.ts';
export { keeperOperations } from './operations/keeper-gates.ts';
export type {
  Operation,
  OperationEffect,
  OperationPolicy,
  OperationTarget,
  RowName,
} from './operations/operation.ts';
export type { OperationResults, VisibleChanges } from './operations/results.ts';
export { CATALOGUE, TABLE } from './operations/table.ts';
export { TOOL_CATALOG } from './operations/tool-catalog.ts';
export { createTools, type Tool, type ToolError, type Tools } from './operations/tool-door.ts';
export {
  firedTriggerSchema,
  removedTriggerSchema,
  triggerSchema as triggerAnswerSchema,
} from './operations/trigger-answers.schema.ts';
export { createOperations, createOps, type Load, type Ops } from './ops.ts';
