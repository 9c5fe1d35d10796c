export { curatorOf, curatorWarning, isCurator } from './curator.ts';
export type { NewTrigger } from './edit/add-triggers.ts';
export type { WrittenTrigger } from './edit/put-trigger.ts';
export { TRIGGER_DEFAULTS } from './fields.ts';
export { flatTrigger, flatTriggerProperties } from './flat-trigger.ts';
export { type LegacySchedule, legacyScheduleSchema } from './legacy-schedule.schema.ts';
export { didYouMean, meantName } from './misspelling.ts';
export { type OpenProject, openProject, type TriggerEdit } from './open-project.ts';
export { asArguments, patchTrigger } from './patch-trigger.ts';
export { projectFileSchema } from './project-file.schema.ts';
export {
  type Declared,
  type InvalidEntry,
  MOST_ENTRIES,
  type ProjectFile,
  type ProjectRules,
  parseProject,
} from './project-file.ts';
export { type ProjectSettings, projectSettingsSchema } from './project-settings.schema.ts';
export { triggerArguments } from './trigger-arguments.ts';
export { isReservedTriggerName, isSlug, validateTriggerName } from './trigger-name.ts';
export { triggerPutSchema } from './trigger-put.schema.ts';
export {
  type NamedTrigger,
  type TriggerCondition,
  type TriggerPolicy,
  type TriggerRecord,
  type TriggerRun,
  triggerDefinitionSchema,
  triggerRecordSchema,
} from './trigger-record.schema.ts';
export { definitionText, effectiveRecord, scheduleText } from './trigger-text.ts';
export type { HostRules } from './validate/hosts.ts';
export type { UnknownKeys } from './validate/keys.ts';
export {
  type KnownRuntime,
  type RunLimits,
  type RuntimeHolds,
  type UnheldLimit,
  unenforcedLimits,
} from './validate/runtimes.ts';
export { validateSchedule } from './validate/schedule.ts';
export type { UnavailableTool } from './validate/tools.ts';
export { type TriggerRules, type Validated, validateTrigger } from './validate/trigger.ts';
export { isTooLarge, readYaml } from './yaml/file.ts';
export { locateInRoot } from './yaml/locate.ts';
export type { MapTree, Tree } from './yaml/tree.ts';
