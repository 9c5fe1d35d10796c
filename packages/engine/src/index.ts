export type { ArmedStates, ArmedStatesIn } from './arming/armed-states.ts';
export type { ArmingProgress } from './arming/arming-start.ts';
export { createZoneCache, hostZone } from './arming/host-zone.ts';
export { type InvalidEntry, invalidOf } from './arming/invalid-entries.ts';
export type { ChangeRecorder } from './arming/project-arming.ts';
export {
  createPromptRemarks,
  type PromptRemarks,
  type UnusablePrompt,
  unusablePrompt,
} from './arming/prompt-remarks.ts';
export {
  createScheduleFacts,
  recurrenceOf,
  type ScheduleFacts,
  type ScheduleFactsOf,
} from './arming/schedule-facts.ts';
export type { ZoneDataState, Zones } from './arming/zones.ts';
export {
  bounded,
  boundsOfStored,
  type Caller,
  type ChangeOrigin,
  clientCaller,
  levelsLeft,
  MODE_RANK,
  originOf,
  startedDepth,
  startedLimit,
  USER,
  withBounds,
  withoutBudgets,
} from './caller.ts';
export {
  type Change,
  type ChangeFeed,
  createChangeFeed,
  createSharedChangeFeed,
  type FeedItem,
  type NumberedChange,
} from './changes.ts';
export type { Members } from './cluster/members.ts';
export { differencesOf } from './cluster/node-differences.ts';
export { type CuratorData, curatorData } from './curator/curator.ts';
export { curatorNow } from './curator/curator-now.ts';
export {
  armRequestOf,
  budgetOf,
  type Definition,
  definitionHash,
  definitionOf,
  definitionOfRecord,
  definitionsOf,
  hash,
  startDelayOf,
  type When,
} from './definition.ts';
export type { EngineDeps, EngineSettings, RunObserver, SharedProcess, ZoneHost } from './deps.ts';
export { createEngine, type Engine, type EngineParts, type Load } from './engine.ts';
export {
  type Answer,
  invalidInput,
  notFound,
  type OperationCode,
  type OperationError,
} from './errors.ts';
export { eventOf } from './events/event-hooks.ts';
export { eventFault, sampleEvent } from './events/sample-event.ts';
export { firedCapability, keeperCapability } from './firing/capability.ts';
export type { Fired, FireTrigger } from './firing/fire-request.ts';
export { instructionsFor } from './firing/instructions.ts';
export { noTrigger } from './firing/no-trigger.ts';
export { openingMessages } from './firing/opening-messages.ts';
export { overlapStop, type RunsUnderWay } from './firing/overlap.ts';
export {
  createReadiness,
  type Readiness,
  readyRuntime,
  runtimeIdFor,
} from './firing/ready-runtime.ts';
export { reportEnd } from './firing/run-report.ts';
export {
  capabilityFault,
  createEffectiveRuntime,
  type EffectiveRuntime,
  type EffectiveRuntimeOf,
  runtimeFault,
} from './firing/runtime-limits.ts';
export {
  type CostLimits,
  costLimitsOf,
  createDailyCost,
  type DailyCostState,
} from './limits/daily-cost.ts';
export { dailyLimits, spentByAll, spentByTrigger } from './limits/daily-limit.ts';
export { DAILY_LIMITS, noteSpent, type SpentLimit } from './limits/spent-limit.ts';
export {
  endPause,
  type PauseStanding,
  type PauseStandings,
  type Pauses,
} from './pauses/pauses.ts';
export type { StartOptions } from './starting.ts';
export type { TracedTurn, Tracer, TurnTracer } from './tracing.ts';
export { cancelReason, cancelTurn } from './turns/cancelling.ts';
export { cleanStore } from './turns/clean-store.ts';
export { isUnavailable } from './turns/retry-write.ts';
export { waitForRun } from './turns/run-waiting.ts';
export type { SelfTestState, SelfTests } from './turns/self-tests.ts';
export { STOP_CODEC } from './turns/stop-codec.ts';
export { endingWith, endTurn } from './turns/turn-end.ts';
