import { join } from 'node:path';
import {
  type AgentUser,
  createChatModel,
  createModelChoice,
  createNativeRuntime,
  createPlaybook,
  detectRuntimes,
  NATIVE_HOLDS,
  type ProcessReaper,
  type Runtime,
  type TurnModel,
} from '@svc/agent-runtime';
import type { Clock, Logger } from '@svc/core';
import { CATALOGUE } from '@svc/ops';
import { CLAUDE_HOLDS, createClaudeRuntime } from '@svc/runtime-claude';
import { createExternalRuntime, externalHolds } from '@svc/runtime-external';
import type { KnownRuntime } from '@svc/trigger-schema';
import { unknownCosts } from './cost-settings.ts';
import type { ExternalSettings } from './external-settings.ts';
import { createFenceMemory } from './fence-memory.ts';
import type { Home } from './home.ts';
import type { Keys } from './keys.ts';
import type { Prices } from './prices.ts';
import type { Settings } from './setting-table.ts';

const PLAYBOOK = 'playbook';

/** What the runtimes are made of. */
export interface RuntimeParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reaper: ProcessReaper;
  readonly home: Home;
  readonly settings: Settings;
  readonly keys: Pick<Keys, 'of'>;
  /** The `PATH` of agents. */
  readonly path: string;
  readonly version: string;
  /** Whom agents run as; null: the user of this process. */
  readonly user: AgentUser | null;
}

/**
 * Makes every runtime that is configured, by its name. One whose key is not there is made all the same, and says so when
 * it is probed.
 */
export function createRuntimes(parts: RuntimeParts): ReadonlyMap<string, Runtime> {
  const { external } = parts.settings.runtime;
  const commands = Object.entries(external).map(([id, own]) => externalRuntime(parts, id, own));
  return new Map(
    [nativeRuntime(parts), claudeRuntime(parts), ...commands].map((runtime) => [
      runtime.id,
      runtime,
    ]),
  );
}

/** What is to be known of the runtimes where triggers are checked. */
export function knownRuntimes({ runtime }: Settings): KnownRuntime[] {
  const { native, external } = runtime;
  const unknown = unknownCosts(runtime);
  const known: KnownRuntime[] = [
    {
      name: 'native',
      holds: NATIVE_HOLDS,
      costly: native.model !== null && native.model !== PLAYBOOK,
      freeModels: [PLAYBOOK],
    },
    { name: 'claude', holds: CLAUDE_HOLDS, costly: true },
    ...Object.entries(external).map(([name, own]) => ({
      name,
      holds: externalHolds(own),
      costly: !isFree(own.prices),
    })),
  ];
  return known.map((one) => {
    const costUnknown = unknown.get(one.name);
    return costUnknown === undefined ? one : { ...one, costUnknown };
  });
}

function isFree(prices: Prices | null): boolean {
  return prices?.inputPerMillionUsd === 0 && prices.outputPerMillionUsd === 0;
}

function claudeRuntime(parts: RuntimeParts): Runtime {
  const { clock, logger, reaper, home, settings, keys, user } = parts;
  const { model, baseUrl, keyVariable, projectInstructions, prices } = settings.runtime.claude;
  return createClaudeRuntime(
    { clock, logger, reaper, operations: CATALOGUE },
    {
      model,
      baseUrl,
      apiKey: () => (keyVariable === null ? null : keys.of(keyVariable)),
      ...(keyVariable === null ? {} : { keyVariable }),
      projectInstructions,
      stateFolder: home.claude,
      // A session goes on wherever its next turn is run.
      ...(settings.database.url === null
        ? {}
        : { sessionsFolder: join(home.projects, '.runtimes', 'claude') }),
      prices,
      ...(user === null ? {} : { user }),
    },
  );
}

function externalRuntime(parts: RuntimeParts, id: string, own: ExternalSettings): Runtime {
  const { clock, logger, reaper, keys, path, user } = parts;
  const deps = { clock, logger, reaper, operations: CATALOGUE, path };
  const env = Object.fromEntries(own.env.map((name) => [name, keys.of(name)]));
  return createExternalRuntime(deps, { ...own, id, env, ...(user === null ? {} : { user }) });
}

function nativeRuntime(parts: RuntimeParts): Runtime {
  const { clock, logger, reaper, home, settings, path, version, user } = parts;
  const canary = { version, remember: createFenceMemory(home.fences) };
  return createNativeRuntime(
    {
      clock,
      logger,
      reaper,
      model: modelOf(parts),
      operations: CATALOGUE,
      detectRuntimes: () => detectRuntimes(path),
    },
    { limits: settings.limits, canary, ...(user === null ? {} : { user }) },
  );
}

function modelOf({ clock, settings, keys }: RuntimeParts): TurnModel {
  const { model, baseUrl, keyVariable, contextTokens, prices } = settings.runtime.native;
  const playbook = createPlaybook();
  if (model === null || baseUrl === null) return playbook;
  const apiKey = keyVariable === null ? null : keys.of(keyVariable);
  const asked = createChatModel({ clock }, { baseUrl, model, apiKey, contextTokens, prices });
  const chat =
    keyVariable === null || apiKey !== null ? asked : withoutKey(asked, model, keyVariable);
  return createModelChoice({
    playbook,
    chat,
    fallback: model === PLAYBOOK ? 'playbook' : 'chat',
  });
}

function withoutKey(model: TurnModel, name: string, variable: string): TurnModel {
  const fault = `its key is missing: export ${variable}, and start svc again.`;
  return {
    ...model,
    probe: async () => ({ ready: false, reason: fault }),
    // A chat that goes on is not probed before.
    start: (turn) => ({
      model: turn.model ?? name,
      onFailedCall: 'stop',
      next: async () => ({ end: 'failed', reason: `The model cannot be asked: ${fault}` }),
    }),
  };
}
