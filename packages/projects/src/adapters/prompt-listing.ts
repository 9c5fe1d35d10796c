import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Source } from '@svc/records';
import { PROMPT_FOLDERS } from '../paths.ts';
import { isPromptName } from '../prompt-file.ts';

/** A prompt file of a project. */
export interface PromptFile {
  readonly source: Source;
  /** As an entry spells it: its path below the folder of its source, with `/`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

const MOST_FILES = 1000;
const MOST_LEVELS = 8;

/** The regular `.md` files below each prompt folder, by name, at most 1000 of each; links are not followed. */
export async function listPromptFiles(folder: string): Promise<PromptFile[]> {
  const sources = ['trigger', 'schedule'] as const;
  return (await Promise.all(sources.map((source) => filesOf(folder, source)))).flat();
}

async function filesOf(folder: string, source: Source): Promise<PromptFile[]> {
  const top = await realpath(join(folder, PROMPT_FOLDERS[source])).catch(() => null);
  if (top === null || !top.startsWith(folder + sep)) return [];
  const names: string[] = [];
  await collect(names, top, '', MOST_LEVELS);
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const stats = await lstat(join(top, name)).catch(() => null);
      return stats?.isFile() ? [{ source, name, size: stats.size }] : [];
    }),
  );
  return files.flat();
}

async function collect(names: string[], top: string, below: string, levels: number): Promise<void> {
  // What is gone by now, or may not be looked into, holds nothing that a fire could read.
  const entries = await readdir(join(top, below), { withFileTypes: true }).catch(
    (): Dirent[] => [],
  );
  for (const entry of entries) {
    if (names.length >= MOST_FILES) return;
    const name = below + entry.name;
    if (entry.isFile() && isPromptName(name)) names.push(name);
    else if (entry.isDirectory() && levels > 1) await collect(names, top, `${name}/`, levels - 1);
  }
}
