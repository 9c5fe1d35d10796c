export type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';
export { createExternalRuntime } from './runtime.ts';
