import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Source } from '@svc/records';
import { PROMPT_FOLDERS } from '../paths.ts';
import { isPromptName } from '../prompt-file.ts';

/** A prompt file of a project. */
export interface PromptFile {
  readonly source: Source;
  /** Its path below the folder of its source, with `/`, as in an entry. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

const MOST_FILES = 1000;
const MOST_LEVELS = 8;
// Limits the time that an agent can cost by filling a folder with other files.
const MOST_ENTRIES = 5000;

/**
 * Lists the regular `.md` files below each prompt folder, by name: at most 1000 of each, from the first 5000
 * entries. Links are not followed.
 */
export async function listPromptFiles(folder: string): Promise<PromptFile[]> {
  const sources = ['trigger', 'schedule'] as const;
  return (await Promise.all(sources.map((source) => filesOf(folder, source)))).flat();
}

async function filesOf(folder: string, source: Source): Promise<PromptFile[]> {
  const top = await realpath(join(folder, PROMPT_FOLDERS[source])).catch(() => null);
  if (top === null || !top.startsWith(folder + sep)) return [];
  const names: string[] = [];
  for await (const name of search(top, '', {
    levels: MOST_LEVELS,
    budget: { left: MOST_ENTRIES },
  })) {
    if (names.push(name) >= MOST_FILES) break;
  }
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const stats = await lstat(join(top, name)).catch(() => null);
      return stats?.isFile() ? [{ source, name, size: stats.size }] : [];
    }),
  );
  return files.flat();
}

interface Bounds {
  readonly levels: number;
  readonly budget: { left: number };
}

async function* search(top: string, below: string, bounds: Bounds): AsyncGenerator<string> {
  const { levels, budget } = bounds;
  try {
    for await (const entry of await opendir(join(top, below), { bufferSize: 256 })) {
      budget.left -= 1;
      if (budget.left < 0) return;
      const name = below + entry.name;
      if (entry.isFile() && isPromptName(name)) yield name;
      else if (entry.isDirectory() && levels > 1)
        yield* search(top, `${name}/`, { levels: levels - 1, budget });
    }
  } catch {
    // A folder that is gone or may not be read contains no prompt that a run could read.
  }
}
