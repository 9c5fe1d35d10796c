import type { Issue } from '@svc/core';
import type { Source } from '@svc/records';
import { promptFileFault } from './adapters/prompt-file-fault.ts';
import { PROMPT_FOLDERS } from './paths.ts';
import { readPromptFile } from './prompt-file.ts';

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
  return fault === null ? null : promptIssue({ source, file, at }, fault);
}

/**
 * The same after its text was read as a fire reads it.
 *
 * @throws ProjectsError `unavailable` for a fault of the disk, or when no more files may be opened
 */
export async function promptFault({
  folder,
  source,
  file,
  at,
}: NamedPrompt): Promise<Issue | null> {
  const read = await readPromptFile(folder, PROMPT_FOLDERS[source], file);
  if (read.ok) return null;
  return promptIssue({ source, file, at }, read.issues[0]?.message);
}

/** The issue of an entry whose prompt file has a fault; `fault` continues a sentence that begins with the file. */
export function promptIssue(
  { source, file, at }: Omit<NamedPrompt, 'folder'>,
  fault = 'cannot be read.',
): Issue {
  return {
    path: source === 'trigger' ? 'run.promptFile' : 'promptFile',
    message: `names ${PROMPT_FOLDERS[source]}/${file}, which ${fault} Until that is fixed, each fire fails.`,
    ...at,
  };
}
