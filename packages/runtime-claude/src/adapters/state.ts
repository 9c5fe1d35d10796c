import { access, chown, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentUser, SelfTestCache } from '@svc/agent-runtime';
import { isId, isRecord, newId } from '@svc/core';

/** What the runtime keeps in its folder. */
export interface State {
  /** Folder of the agent program's settings and sessions; made on the first call, for the user that agents run as. */
  config(): Promise<string>;
  /** Whether a session is there to go on with. */
  hasSession(id: string): Promise<boolean>;
  /** Dollars that a session had cost at the end of its last turn; null where that is not known. */
  costOf(id: string): Promise<number | null>;
  keepCost(id: string, usd: number): Promise<void>;
  /** The one fence that was last seen to hold. */
  readonly fences: SelfTestCache;
}

/**
 * Opens the folder; makes nothing yet.
 *
 * @param sessions folder of sessions and what they have cost; default: the same
 */
export function openState(
  folder: string,
  user: AgentUser | null,
  sessions: string = folder,
): State {
  const configFolder = join(sessions, 'config');
  const costFolder = join(sessions, 'costs');
  const costFile = (id: string): string => join(costFolder, `${id}.json`);
  const fenceFile = join(folder, 'fence.json');
  return {
    async config() {
      await mkdir(sessions, { recursive: true });
      const made = await mkdir(configFolder, { recursive: true, mode: 0o700 });
      if (made !== undefined && user !== null) await chown(configFolder, user.uid, user.gid);
      return configFolder;
    },
    async hasSession(id) {
      if (!isId(id)) return false;
      const projects = join(configFolder, 'projects');
      for (const name of await readdir(projects).catch(() => [])) {
        if (await isThere(join(projects, name, `${id}.jsonl`))) return true;
      }
      return false;
    },
    async costOf(id) {
      const kept = isId(id) ? await readJson(costFile(id)) : null;
      return isRecord(kept) && typeof kept['usd'] === 'number' ? kept['usd'] : null;
    },
    async keepCost(id, usd) {
      if (!isId(id)) return;
      await mkdir(costFolder, { recursive: true });
      await writeWhole(costFile(id), { usd });
    },
    fences: {
      async get(key) {
        const kept = await readJson(fenceFile);
        return isRecord(kept) && kept['key'] === key && kept['holds'] === true
          ? { passed: true }
          : null;
      },
      async set(key, verdict) {
        await mkdir(folder, { recursive: true });
        await writeWhole(fenceFile, { key, holds: verdict.passed });
      },
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    // What is missing or spoiled is not known, and is found out anew.
    return null;
  }
}

async function writeWhole(path: string, value: object): Promise<void> {
  const draft = `${path}.${newId()}.tmp`;
  await writeFile(draft, `${JSON.stringify(value)}\n`);
  await rename(draft, path);
}
