export type { ExternalRuntimeDeps, ExternalRuntimeOptions } from './options.ts';
export { createExternalRuntime, externalHolds } from './runtime.ts';
