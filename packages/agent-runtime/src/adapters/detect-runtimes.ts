import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const PROGRAMS = ['claude', 'codex', 'gemini', 'opencode', 'goose', 'llm', 'ollama'] as const;

/**
 * Names of the agent programs that can be started from a `PATH`: claude, codex, gemini, opencode, goose, llm, ollama,
 * in this order. Starts nothing.
 *
 * @param path Folders, joined as in the environment variable `PATH`; relative ones are ignored.
 */
export async function detectRuntimes(path: string): Promise<readonly string[]> {
  const folders = path.split(delimiter).filter(isAbsolute);
  const found = await Promise.all(PROGRAMS.map((program) => isIn(folders, program)));
  return PROGRAMS.filter((_, i) => found[i]);
}

async function isIn(folders: readonly string[], program: string): Promise<boolean> {
  for (const folder of folders) {
    if (await isProgram(join(folder, program))) return true;
  }
  return false;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
