export { secretsOfAddress, shownAddress } from './database-address.ts';
export { settingsEditorSchema } from './editor-schema.ts';
export { type EffectiveSetting, effectiveSettings } from './effective-settings.ts';
export { parseEnvFile, readEnvFile, SettingsError, type Variables } from './env-file.ts';
export { ageText, durationText, SETTING_FORMATS } from './formats.ts';
export {
  type ResolvedSettings,
  resolveSettings,
  type SettingSources,
  type SourcedValue,
} from './resolve-settings.ts';
export { type RuntimeBlock, type RuntimeOptions, runtimeBlock } from './runtime-blocks.ts';
export { unknownCosts } from './setting-rules.ts';
export {
  ANNOTATIONS,
  SCHEMA_BY_KEY,
  type SchemaNode,
  SETTING_TABLE,
  type Setting,
} from './setting-table.ts';
export type { SettingsFile } from './settings.schema.ts';
export {
  type AuthSettings,
  type ExternalSettings,
  isHeaderValue,
  type NotifySettings,
  type Prices,
  type RuntimeSettings,
  type SettingSource,
  type Settings,
  type SinkSettings,
  type TelemetrySettings,
} from './settings.ts';
