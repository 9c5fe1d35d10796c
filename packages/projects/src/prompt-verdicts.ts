import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_PROMPT_BYTES, PROMPT_FOLDERS } from './paths.ts';
import { promptTextOf } from './prompt-file.ts';
import type { NamedPrompt } from './prompt-warning.ts';

/** Judges the text of a prompt file; null where it cannot be read. */
export type PromptVerdicts<T> = (prompt: Omit<NamedPrompt, 'at'>) => T | null;

const MOST_KNOWN = 10_000;

/** Makes a judge of prompt files that reads each again only when it has changed. */
export function createPromptVerdicts<T>(judge: (text: string) => T): PromptVerdicts<T> {
  const known = new Map<string, { readonly mark: string; readonly verdict: T }>();
  return ({ folder, source, file }) => {
    const path = join(folder, PROMPT_FOLDERS[source], file);
    try {
      const stats = lstatSync(path, { bigint: true });
      if (!stats.isFile() || stats.size > MAX_PROMPT_BYTES) return null;
      const mark = `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
      const before = known.get(path);
      if (before?.mark === mark) return before.verdict;
      const text = promptTextOf(readFileSync(path));
      if (!text.ok) return null;
      const verdict = judge(text.value);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(path, { mark, verdict });
      return verdict;
    } catch {
      // Why it cannot be read is the matter of `promptWarning`.
      return null;
    }
  };
}
