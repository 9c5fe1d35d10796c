export { detectRuntimes } from './adapters/detect-runtimes.ts';
export { openPlaces } from './adapters/folder.ts';
export { type LocalServer, serveLocally } from './adapters/local-server.ts';
export {
  createProcessReaper,
  type ProcessReaperDeps,
  type ProcessReaperOptions,
} from './adapters/process-reaper.ts';
export { createProxiedFetch } from './adapters/proxied-fetch.ts';
export { type AgentUserOptions, resolveAgentUser } from './adapters/resolve-agent-user.ts';
export { type ShellStart, spawnShell } from './adapters/spawn-shell.ts';
export { sweepTemporaries } from './adapters/sweep.ts';
export { type AgentUser, folderAccessDenied, type SystemUser } from './agent-user.ts';
export { type BannerRuntime, bannerOf } from './banner.ts';
export { type ChatModelOptions, createChatModel, type ModelPrices } from './chat-model.ts';
export {
  createToolPolicy,
  type OperationEffects,
  type ToolDecision,
  type ToolPolicy,
} from './decision.ts';
export { type EventJsonOptions, eventJson, MAX_EVENT_BYTES } from './event-json.ts';
export type {
  FenceCall,
  FenceCase,
  FenceExpectation,
  FenceSubject,
  FenceWorld,
} from './fence/fence-case.ts';
export { runFenceCase } from './fence/run-fence-case.ts';
export { cachedSelfTest, runSelfTest, type SelfTestCache } from './fence/run-self-test.ts';
export { selfTestCases } from './fence/self-test-cases.ts';
export { type FileRights, fileRights } from './file-rights.ts';
export { firstOf, type WaitOutcome } from './first-of.ts';
export type { FolderFault, Places } from './folder.ts';
export { historyText } from './history-text.ts';
export { jsonExcess } from './json-shape.ts';
export {
  noticeMessage,
  oneLine,
  textMessage,
  toolResultMessage,
  toolUseMessage,
} from './messages.ts';
export type {
  ModelCall,
  ModelStart,
  ModelStep,
  ModelTool,
  ModelTurn,
  ModelUsage,
  TurnModel,
} from './model.ts';
export { createModelChoice, type ModelChoice } from './model-choice.ts';
export {
  createNativeRuntime,
  NATIVE_HOLDS,
  type NativeRuntimeDeps,
  type NativeRuntimeOptions,
} from './native.ts';
export { cutText, cutTo, MAX_RESULT_BYTES } from './output.ts';
export { lastErrorLine, lastLine, plainText } from './plain-text.ts';
export { createPlaybook } from './playbook.ts';
export { type Playbook, type PlaybookStep, parsePlaybook } from './playbook-steps.ts';
export type { ProcessReaper, TurnProcesses } from './processes.ts';
export { chatOf, promptText } from './prompt-text.ts';
export { ProxyFault, type ProxyOptions, proxyOf } from './proxy.ts';
export {
  type AskedModel,
  type EventData,
  type Prompt,
  type PromptFault,
  type Runtime,
  type RuntimeCapabilities,
  type RuntimeProbe,
  type RuntimeSandbox,
  type SelfTestResult,
  type SessionReference,
  stopOf,
  type Toolset,
  type ToolsetTool,
  type TurnEnd,
  type TurnEvent,
  type TurnSpec,
  TurnStop,
  type TurnUse,
} from './runtime.ts';
export { createTally, endOf, type Tally } from './tally.ts';
export { markingScript } from './turn-mark.ts';
export {
  createTurnNetwork,
  hostListsOf,
  type NetworkOptions,
  recordOf,
  type TurnNetwork,
} from './turn-network.ts';
export { closeOf, noteAnswer, type TurnProgress } from './turn-progress.ts';
export {
  createServicePort,
  createTurnSandboxes,
  type SandboxedTurn,
  type ServicePort,
  type TurnSandbox,
  type TurnSandboxDeps,
  type TurnSandboxes,
  type TurnSandboxOptions,
} from './turn-sandboxes.ts';
