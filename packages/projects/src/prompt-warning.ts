import type { Issue } from '@svc/core';
import type { Source } from '@svc/records';
import { promptFileFault } from './adapters/prompt-file-fault.ts';
import { PROMPT_FOLDERS } from './paths.ts';

/** A prompt file that an entry of a project names. */
export interface NamedPrompt {
  /** Path of the project folder. */
  readonly folder: string;
  readonly source: Source;
  /** As the entry spells it. */
  readonly file: string;
  /** Where in `project.yaml` it is named, if it is. */
  readonly at?: { readonly line: number; readonly column: number } | undefined;
}

/** Warns of a prompt file that fires would not find as it should be; null while it looks right. Its text is not read. */
export function promptWarning({ folder, source, file, at }: NamedPrompt): Issue | null {
  const fault = promptFileFault(folder, source, file);
  if (fault === null) return null;
  return {
    path: source === 'trigger' ? 'run.promptFile' : 'promptFile',
    message: `names ${PROMPT_FOLDERS[source]}/${file}, which ${fault} Until that is mended, each fire fails.`,
    ...at,
  };
}
