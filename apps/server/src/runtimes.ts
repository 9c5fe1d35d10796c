import { resolve } from 'node:path';
import {
  type AgentUser,
  createChatModel,
  createModelChoice,
  createNativeRuntime,
  createPlaybook,
  detectRuntimes,
  type ProcessReaper,
  type Runtime,
  type TurnModel,
} from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import { CATALOGUE } from '@svc/ops';
import { readEnvFile } from './env-file.ts';
import { createFenceMemory } from './fence-memory.ts';
import type { Home } from './home.ts';
import type { Settings } from './setting-table.ts';

/** What the runtimes are made of. */
export interface RuntimeParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reaper: ProcessReaper;
  readonly home: Home;
  readonly settings: Settings;
  /** The environment of the service, where keys are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Whom agents run as; null: the user of this process. */
  readonly user: AgentUser | null;
}

/** The runtimes of an instance. */
export interface Runtimes {
  readonly byId: ReadonlyMap<string, Runtime>;
  /** Values of the keys that they were given. */
  readonly secrets: readonly string[];
}

type Keys = Readonly<Record<string, string | undefined>>;

/**
 * Makes every runtime that is configured. Their keys come from the environment and, stronger, from `envFile`; one whose
 * key is not there is made all the same, and says so when it is probed.
 *
 * @throws ServerError `env_file_unusable`
 */
export async function openRuntimes(parts: RuntimeParts): Promise<Runtimes> {
  const { home, settings, env } = parts;
  const { envFile } = settings;
  const file = envFile === null ? {} : await readEnvFile(resolve(home.root, envFile));
  const keys: Keys = { ...env, ...file };
  const native = nativeRuntime(parts, keys);
  return { byId: new Map([[native.id, native]]), secrets: secretsOf(settings, keys) };
}

function nativeRuntime(parts: RuntimeParts, keys: Keys): Runtime {
  const { clock, logger, reaper, home, settings, env, version, user } = parts;
  const canary = { version, remember: createFenceMemory(home.fences) };
  return createNativeRuntime(
    {
      clock,
      logger,
      reaper,
      model: modelOf(parts, keys),
      operations: CATALOGUE,
      detectRuntimes: () => detectRuntimes(env['PATH'] ?? ''),
    },
    { limits: settings.limits, canary, ...(user === null ? {} : { user }) },
  );
}

function modelOf({ clock, settings }: RuntimeParts, keys: Keys): TurnModel {
  const { model, baseUrl, keyVariable, contextTokens, prices } = settings.runtime.native;
  const playbook = createPlaybook();
  if (model === null || baseUrl === null) return playbook;
  const apiKey = keyVariable === null ? null : keyOf(keys, keyVariable);
  const asked = createChatModel({ clock }, { baseUrl, model, apiKey, contextTokens, prices });
  const chat = keyVariable === null || apiKey !== null ? asked : withoutKey(asked, keyVariable);
  return createModelChoice({
    playbook,
    chat,
    fallback: model === 'playbook' ? 'playbook' : 'chat',
  });
}

function withoutKey(model: TurnModel, variable: string): TurnModel {
  const reason = `its key is missing: export ${variable}, and start svc again.`;
  return { ...model, probe: async () => ({ ready: false, reason }) };
}

function keyOf(keys: Keys, variable: string): string | null {
  const value = keys[variable]?.trim() ?? '';
  return value === '' ? null : value;
}

function secretsOf({ runtime }: Settings, keys: Keys): string[] {
  const external = Object.values(runtime.external).flatMap(({ env }) => env);
  const variables = [runtime.native.keyVariable, runtime.claude.keyVariable, ...external];
  return variables.flatMap((variable) => (variable === null ? [] : (keyOf(keys, variable) ?? [])));
}
