import { oneOf, shown } from '../plain.ts';
import type { TriggerRun } from '../trigger-record.schema.ts';
import { checkSectionKeys, type UnknownKeys } from './keys.ts';
import { readPrompt } from './prompt.ts';
import { readFields } from './read-fields.ts';
import { fault, readText, type Scope } from './scope.ts';
import { readTools, type ToolRules } from './tools.ts';

const LONGEST_NAME = 200;

/** What decides whether a run is sound. */
export interface RunRules extends ToolRules {
  readonly runtimes: readonly string[];
  readonly unknownKeys: UnknownKeys;
}

/** Checks what a fire runs, and fills in its defaults. */
export function readRun(scope: Scope, promptRequired: boolean, rules: RunRules): TriggerRun {
  checkSectionKeys(scope, 'run', rules.unknownKeys);
  const prompts = readPrompt(scope, promptRequired);
  return readFields(scope, 'run', {
    prompt: () => prompts.prompt,
    promptFile: () => prompts.promptFile,
    tools: () => readTools(scope, rules),
    runtime: () => readRuntime(scope, rules.runtimes),
  }) as TriggerRun;
}

function readRuntime(scope: Scope, runtimes: readonly string[]): string | undefined {
  const runtime = readText(scope, 'runtime', LONGEST_NAME);
  if (runtime === undefined || runtimes.includes(runtime)) return runtime;
  const choice = runtimes.length === 0 ? 'leave it out' : `write ${oneOf(runtimes)}`;
  return fault(scope, 'runtime', `${shown(runtime)} is not supported by this version; ${choice}`);
}
