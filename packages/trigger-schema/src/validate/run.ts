import type { TriggerRun } from '../trigger-record.schema.ts';
import { type HostRules, readHosts } from './hosts.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readPrompt } from './prompt.ts';
import { readFields } from './read-fields.ts';
import { type KnownRuntime, readRuntimeName } from './runtimes.ts';
import type { Scope } from './scope.ts';
import { readTools, type ToolRules } from './tools.ts';

/** Validation rules of a run. */
export interface RunRules extends ToolRules {
  readonly runtimes: readonly KnownRuntime[];
  readonly unknownKeys: UnknownKeys;
  readonly hosts: HostRules;
}

/** Checks what a fire runs, and fills in its defaults. */
export function readRun(scope: Scope, promptRequired: boolean, rules: RunRules): TriggerRun {
  checkSectionKeys(scope, 'run', rules.unknownKeys);
  const prompts = readPrompt(scope, promptRequired);
  return readFields(scope, 'run', {
    prompt: () => prompts.prompt,
    promptFile: () => prompts.promptFile,
    tools: () => readTools(scope, rules),
    network: () => readHosts(scope, rules.hosts),
    runtime: () => readRuntimeName(scope, rules.runtimes),
  }) as TriggerRun;
}
