import {
  access,
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentUser, SelfTestCache } from '@svc/agent-runtime';
import { isId, isRecord, newId } from '@svc/core';
import type { Slug } from '@svc/records';

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
  /**
   * The state for turns in sandboxes: only the sessions of one project. Created with the earlier sessions of the project.
   *
   * @param cwd the project folder with links resolved
   */
  ofProject(project: Slug, cwd: string): RuntimeState;
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
  return stateWith({ folder, user, sessions, configFolder: join(sessions, 'config') });
}

interface Folders {
  readonly folder: string;
  readonly user: AgentUser | null;
  readonly sessions: string;
  readonly configFolder: string;
  /** Fills a new folder for settings and sessions. Default: it stays empty. */
  readonly fill?: (configFolder: string) => Promise<void>;
}

function stateWith(folders: Folders): RuntimeState {
  const { folder, user, sessions, configFolder } = folders;
  const costFolder = join(sessions, 'costs');
  const costFile = (id: string): string => join(costFolder, `${id}.json`);
  const selfTestFile = join(folder, 'fence.json');
  return {
    async config() {
      if (!(await exists(configFolder))) await createConfig(folders);
      return configFolder;
    },
    ofProject: (project, cwd) =>
      stateWith({
        ...{ folder, user, sessions, configFolder: join(sessions, 'projects', project) },
        fill: (to) => copySessions(join(sessions, 'config'), to, cwd, user),
      }),
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

// It appears under its name when it is complete, because agents may write to it from then on.
async function createConfig({ sessions, configFolder, user, fill }: Folders): Promise<void> {
  const temporary = `${configFolder}.${newId()}.tmp`;
  const above = dirname(configFolder);
  await mkdir(above, { recursive: true });
  // The user of agents enters these folders, whatever the umask of this process.
  if (user !== null) for (const folder of new Set([sessions, above])) await chmod(folder, 0o711);
  await mkdir(temporary, { mode: 0o700 });
  await fill?.(temporary);
  if (user !== null) await chown(temporary, user.uid, user.gid);
  try {
    await rename(temporary, configFolder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another turn or server may have created it.
    if (!(await exists(configFolder))) throw error;
  }
}

// The agent program names the folder of a project after its path, which may be the same for two projects.
async function copySessions(
  from: string,
  to: string,
  cwd: string,
  user: AgentUser | null,
): Promise<void> {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  const source = join(from, 'projects', name);
  const target = join(to, 'projects', name);
  const own: string[] = [join(to, 'projects'), target];
  for (const entry of await readdir(source, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
    const text = await readFile(join(source, entry.name), 'utf8');
    if (!text.includes(`"cwd":${JSON.stringify(cwd)}`)) continue;
    await mkdir(target, { recursive: true, mode: 0o700 });
    await writeFile(join(target, entry.name), text, { mode: 0o600 });
    own.push(join(target, entry.name));
  }
  if (user === null || own.length === 2) return;
  for (const path of own) await chown(path, user.uid, user.gid);
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
