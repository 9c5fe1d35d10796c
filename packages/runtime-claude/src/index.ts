export { claudeHolds, createClaudeRuntime } from './claude.ts';
export type { ClaudePrices, ClaudeRuntimeDeps, ClaudeRuntimeOptions } from './options.ts';
