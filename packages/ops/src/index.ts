export {
  type Caller,
  type ChangeFeed,
  clientCaller,
  createChangeFeed,
  createSharedChangeFeed,
  type FeedItem,
  type OperationCode,
  type OperationError,
  USER,
} from '@svc/engine';
export type { AlertPort, AlertSink, AlertStanding, AlertTry } from './alerting.ts';
export { exactly, issueSchema, listOf, text } from './common.schema.ts';
export type {
  EffectiveSetting,
  EffectiveSettings,
  KeeperGates,
  LogTail,
  OpsDeps,
  OpsSettings,
  SandboxLack,
} from './deps.ts';
export type { CallError, CallOptions, Operations } from './operations/door.ts';
export {
  type BodySpec,
  type HttpFacts,
  PATH_PARAMETERS,
  type Reply,
  TAGS,
} from './operations/http.ts';
export { keeperOperations } from './operations/keeper-gates.ts';
export type {
  Catalogue,
  Operation,
  OperationEffect,
  OperationPolicy,
  OperationTarget,
} from './operations/operation.ts';
export type { VisibleChanges } from './operations/service/follow-changes.ts';
export {
  CATALOGUE,
  type OperationResults,
  type RowName,
  TABLE,
  TOOL_CATALOG,
} from './operations/table.ts';
export { createTools, type Tool, type ToolError, type Tools } from './operations/tool-door.ts';
export { createOperations, createOps, type Ops } from './ops.ts';
export { type KnownPerson, personCaller } from './people.ts';
export {
  ATTENTION_KINDS,
  type Attention,
  type AttentionItem,
  type AttentionKind,
} from './queries/attention.ts';
export { preview } from './queries/preview.ts';
export { attentionOfFiles } from './queries/standings.ts';
export type { RuntimeState } from './queries/trigger-states.ts';
export type { ServiceParts, Services } from './services.ts';
