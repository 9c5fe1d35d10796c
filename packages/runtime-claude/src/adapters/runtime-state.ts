import { access, chown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentUser, SelfTestCache } from '@svc/agent-runtime';
import { isId, isRecord, newId } from '@svc/core';

/** The data that the runtime stores in its folder. */
export interface RuntimeState {
  /** The folder for settings and sessions of the agent program. Created on the first call, owned by the agent user. */
  config(): Promise<string>;
  /** Whether a session exists and can be resumed. */
  hasSession(id: string): Promise<boolean>;
  /** The cost of a session in US dollars at the end of its last turn; null if unknown. */
  costOf(id: string): Promise<number | null>;
  saveCost(id: string, usd: number): Promise<void>;
  /** Caches the last passed self-test. */
  readonly selfTests: SelfTestCache;
}

/**
 * Opens the state in a folder. Creates nothing until needed.
 *
 * @param sessions folder for sessions and their costs. Default: the same folder.
 */
export function openState(
  folder: string,
  user: AgentUser | null,
  sessions: string = folder,
): RuntimeState {
  const configFolder = join(sessions, 'config');
  const costFolder = join(sessions, 'costs');
  const costFile = (id: string): string => join(costFolder, `${id}.json`);
  const selfTestFile = join(folder, 'fence.json');
  return {
    async config() {
      await mkdir(sessions, { recursive: true });
      const created = await mkdir(configFolder, { recursive: true, mode: 0o700 });
      if (created !== undefined && user !== null) await chown(configFolder, user.uid, user.gid);
      return configFolder;
    },
    async hasSession(id) {
      if (!isId(id)) return false;
      const projects = join(configFolder, 'projects');
      for (const name of await readdir(projects).catch(() => [])) {
        if (await exists(join(projects, name, `${id}.jsonl`))) return true;
      }
      return false;
    },
    async costOf(id) {
      const stored = isId(id) ? await readJson(costFile(id)) : null;
      return isRecord(stored) && typeof stored['usd'] === 'number' ? stored['usd'] : null;
    },
    async saveCost(id, usd) {
      if (!isId(id)) return;
      await mkdir(costFolder, { recursive: true });
      await writeAtomically(costFile(id), { usd });
    },
    selfTests: {
      async get(key) {
        const stored = await readJson(selfTestFile);
        return isRecord(stored) && stored['key'] === key && stored['holds'] === true
          ? { passed: true }
          : null;
      },
      async set(key, result) {
        await mkdir(folder, { recursive: true });
        await writeAtomically(selfTestFile, { key, holds: result.passed });
      },
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    // Missing and invalid files are treated as empty.
    return null;
  }
}

async function writeAtomically(path: string, value: object): Promise<void> {
  const temporary = `${path}.${newId()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(value)}\n`);
  await rename(temporary, path);
}
