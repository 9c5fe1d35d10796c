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
  /** The name, as in the entry. */
  readonly file: string;
  /** Position in `project.yaml` of the name, if it is named there. */
  readonly at?: { readonly line: number; readonly column: number } | undefined;
}

/** Returns a warning about a prompt file that runs could not use; null if it looks right. Does not read the text. */
export function promptWarning({ folder, source, file, at }: NamedPrompt): Issue | null {
  const fault = promptFileFault(folder, source, file);
  return fault === null ? null : promptIssue({ source, file, at }, fault);
}

/**
 * The same, after reading the text as a run does.
 * @throws ProjectsError `unavailable` if the disk fails or no more files may be opened
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
    message: `names ${PROMPT_FOLDERS[source]}/${file}, which ${fault} Every run fails until this is fixed.`,
    ...at,
  };
}
