import type { Issue } from '@svc/core';
import { hasPromptFile } from '@svc/projects';
import type { TriggerKey } from '@svc/records';
import { NO_PROMPT_FILE } from '@svc/trigger-schema';

/** An entry with the name of its prompt file, where it has one. */
interface Prompted {
  readonly key: TriggerKey;
  readonly promptFile: string | undefined;
}

/**
 * The warnings of an entry as they are now. Whether its prompt file exists is looked up each time: the file may come and
 * go without a change of `project.yaml`.
 *
 * @param folder real path of the project folder
 */
export function warningsNow(
  folder: string,
  { key, promptFile }: Prompted,
  warnings: readonly Issue[],
): readonly Issue[] {
  if (promptFile === undefined || hasPromptFile(folder, key.source, promptFile)) return warnings;
  const path = key.source === 'trigger' ? 'run.promptFile' : 'promptFile';
  return [...warnings, { path, message: NO_PROMPT_FILE }];
}
