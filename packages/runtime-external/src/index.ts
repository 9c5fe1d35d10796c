export type { ExternalRuntimeDeps, ExternalRuntimeOptions, TokenPrices } from './options.ts';
export { createExternalRuntime } from './runtime.ts';
