export type { AlertPort, AlertSink, AlertStanding, AlertTry } from './alerting.ts';
export { type Caller, clientCaller, USER } from './caller.ts';
export {
  type Change,
  type ChangeFeed,
  createChangeFeed,
  createSharedChangeFeed,
  type FeedItem,
  type NumberedChange,
} from './changes.ts';
export type {
  InForce,
  KeeperGates,
  LogTail,
  OpsDeps,
  OpsSettings,
  RunObserver,
  SettingInForce,
  SharedProcess,
  ZoneHost,
} from './deps.ts';
export type { OperationCode, OperationError } from './errors.ts';
export {
  ATTENTION_KINDS,
  type Attention,
  type AttentionItem,
  type AttentionKind,
} from './nouns/attention.ts';
export { preview } from './nouns/preview.ts';
export {
  createPromptRemarks,
  type PromptRemarks,
  type UnusablePrompt,
  unusablePrompt,
} from './nouns/prompt-remarks.ts';
export { eventFault } from './nouns/sample-event.ts';
export { attentionOfFiles } from './nouns/standings.ts';
export { STOP_WORDS } from './nouns/stop-words.ts';
export type { RuntimeState } from './nouns/trigger-states.ts';
export { exactly, issueSchema, listOf, text } from './operations/common.schema.ts';
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
export { createOperations, createOps, type Load, type Ops } from './ops.ts';
export { type KnownPerson, personCaller } from './people.ts';
export { createServices, type ServiceParts, type Services } from './services.ts';
export { type ClockDay, clockDaysOf } from './simulation/clock-days.ts';
export type { PileUp } from './simulation/pile-ups.ts';
export {
  estimatedFires,
  type SimulatedTrigger,
  type Simulation,
  type SimulationRequest,
  simulate,
} from './simulation/simulate.ts';
export type { TracedTurn, Tracer, TurnTracer } from './tracing.ts';
