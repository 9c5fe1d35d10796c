import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Checked, invalid, success } from '@svc/core';
import { MAX_PROMPT_BYTES, PROMPT_FOLDERS } from './paths.ts';
import { promptTextOf } from './prompt-file.ts';
import { type NamedPrompt, promptIssue } from './prompt-warning.ts';

/**
 * Returns the verdict on the text of a prompt file, or why a run cannot use the text; null if the file cannot be
 * read.
 */
export type PromptVerdicts<T> = (prompt: NamedPrompt) => Checked<T> | null;

const MOST_KNOWN = 10_000;

/** Caches verdicts on prompt files: a file is read again only after it changed. */
export function createPromptVerdicts<T>(judge: (text: string) => T): PromptVerdicts<T> {
  const known = new Map<string, { readonly mark: string; readonly verdict: Checked<T> }>();
  const verdictOf = (bytes: Uint8Array): Checked<T> => {
    const text = promptTextOf(bytes);
    return text.ok ? success(judge(text.value)) : text;
  };
  return ({ folder, source, file, at }) => {
    const named = (verdict: Checked<T>): Checked<T> =>
      verdict.ok ? verdict : invalid(promptIssue({ source, file, at }, verdict.issues[0]?.message));
    const path = join(folder, PROMPT_FOLDERS[source], file);
    try {
      const stats = lstatSync(path, { bigint: true });
      if (!stats.isFile() || stats.size > MAX_PROMPT_BYTES) return null;
      const mark = `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
      const before = known.get(path);
      if (before?.mark === mark) return named(before.verdict);
      const verdict = verdictOf(readFileSync(path));
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(path, { mark, verdict });
      return named(verdict);
    } catch {
      // `promptWarning` reports why it cannot be read.
      return null;
    }
  };
}
