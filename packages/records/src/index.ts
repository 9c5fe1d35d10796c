export { type Actor, actorText, authorText, pauseSentence } from './actor.ts';
export {
  type Budget,
  type Capability,
  type ClientBound,
  capabilitySchema,
} from './capability.schema.ts';
export {
  BUILT_IN_TOOLS,
  type CatalogTool,
  canConnect,
  canWrite,
  EVENTS,
  type EventName,
  GRANTABLE_TOOLS,
  MANAGE_PREFIX,
  OPERATION_NAMES,
  type OperationName,
  PERMISSION_MODES,
  type PermissionMode,
  PROJECT_STATUSES,
  type ProjectStatus,
  TRIGGER_TYPES,
  type TriggerType,
} from './catalog.ts';
export {
  type Change,
  type ChangedField,
  type ChangeKind,
  type ChangeWay,
  changeSchema,
  FORMER_CHANGE_KINDS,
  type Standing,
} from './change.schema.ts';
export {
  type Chat,
  chatSchema,
  type Message,
  type MessageTool,
  messageSchema,
  type NewMessage,
} from './chat.schema.ts';
export type { EndedRun } from './ended-run.ts';
export type { EventData } from './event-data.ts';
export {
  agentNameOf,
  type RunId,
  type SessionId,
  SLUG_PATTERN,
  type Slug,
  type Source,
  type TriggerId,
  type TriggerKey,
  type TurnId,
  triggerId,
  triggerKeyOf,
} from './ids.ts';
export {
  expiredReason,
  isExpired,
  type LostServer,
  lossSentence,
  lostServerIn,
  MISSED_REASONS,
} from './missed-reasons.ts';
export {
  connectionCounts,
  MOST_NETWORK_ENTRIES,
  type ReachedHost,
  type RefusedHost,
  type RunNetwork,
  runNetworkSchema,
} from './network.schema.ts';
export {
  type Cause,
  FAILURE_OUTCOMES,
  outcomeText,
  RUN_OUTCOMES,
  RUN_STATES,
  type RunOutcome,
  type RunState,
  TURN_OUTCOMES,
  type TurnOutcome,
} from './outcome.ts';
export { type DeniedCall, type Run, runSchema, type SandboxState } from './run.schema.ts';
export type { SlotClaim, SlotCursor, SlotsAhead, SlotVerdict, TakeBack } from './slot.ts';
