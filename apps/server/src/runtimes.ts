import { readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
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
  proxyOf,
  type Runtime,
  type SelfTestCache,
  type SelfTestResult,
  type TurnModel,
  type TurnSandboxes,
} from '@svc/agent-runtime';
import { type Clock, isRecord, type Logger, newId } from '@svc/core';
import { CATALOGUE } from '@svc/ops';
import { claudeHolds, createClaudeRuntime } from '@svc/runtime-claude';
import { createExternalRuntime, externalHolds } from '@svc/runtime-external';
import { validHosts } from '@svc/sandbox';
import {
  type ExternalSettings,
  isHeaderValue,
  type Prices,
  type Settings,
  unknownCosts,
} from '@svc/settings';
import type { KnownRuntime } from '@svc/trigger-schema';
import type { Home } from './home.ts';
import type { Keys } from './keys.ts';

const PLAYBOOK = 'playbook';

/** Dependencies of the runtimes. */
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
  /** The user that agents run as; null: the user of this process. */
  readonly user: AgentUser | null;
  /** The sandboxes of turns; null: turns are not started. */
  readonly sandboxes: TurnSandboxes | null;
}

/** Creates all configured runtimes, by name. A runtime with a missing key is created too; its probe reports the problem. */
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

/**
 * The properties of runtimes that validation of triggers needs.
 *
 * @param hasSandbox whether agents run in sandboxes with a limited network
 */
export function knownRuntimes({ runtime }: Settings, hasSandbox: boolean): KnownRuntime[] {
  const { native, external } = runtime;
  const unknown = unknownCosts(runtime);
  const known: KnownRuntime[] = [
    {
      name: 'native',
      holds: { ...NATIVE_HOLDS, network: hasSandbox ? 'all' : 'except-bash' },
      costly: native.model !== null && native.model !== PLAYBOOK,
      freeModels: [PLAYBOOK],
    },
    { name: 'claude', holds: claudeHolds(hasSandbox), costly: true },
    ...Object.entries(external).map(([name, own]) => ({
      name,
      holds: externalHolds(own, hasSandbox),
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
  const { clock, logger, reaper, home, settings, keys, user, sandboxes } = parts;
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
      // Sessions are in the shared projects folder, because another server may run the next turn.
      ...(settings.database.url === null
        ? {}
        : { sessionsFolder: join(home.projects, '.runtimes', 'claude') }),
      prices,
      ...(user === null ? {} : { user }),
      ...(sandboxes === null ? {} : { sandboxes }),
    },
  );
}

function externalRuntime(parts: RuntimeParts, id: string, own: ExternalSettings): Runtime {
  const { clock, logger, reaper, keys, path, user, sandboxes } = parts;
  const deps = { clock, logger, reaper, operations: CATALOGUE, path };
  const { home, hosts: names, ...settings } = own;
  const env = Object.fromEntries(own.env.map((name) => [name, keys.of(name)]));
  const folder = user?.home ?? homedir();
  const logins = home.map((at) => ({ at, from: join(folder, at) }));
  return createExternalRuntime(deps, {
    ...settings,
    ...{ id, env, logins, hosts: validHosts(names) },
    ...(user === null ? {} : { user }),
    ...(sandboxes === null ? {} : { sandboxes }),
  });
}

function nativeRuntime(parts: RuntimeParts): Runtime {
  const { clock, logger, reaper, home, settings, path, version, user, sandboxes } = parts;
  const selfTest = { version, cache: createSelfTestCache(home.selfTests) };
  return createNativeRuntime(
    {
      clock,
      logger,
      reaper,
      model: modelOf(parts),
      operations: CATALOGUE,
      detectRuntimes: () => detectRuntimes(path),
    },
    {
      ...{ limits: settings.limits, selfTest },
      ...(user === null ? {} : { user }),
      ...(sandboxes === null ? {} : { sandboxes }),
    },
  );
}

function modelOf({ clock, settings, keys }: RuntimeParts): TurnModel {
  const { native } = settings.runtime;
  const { model, baseUrl, keyVariable, contextTokens, prices } = native;
  const playbook = createPlaybook();
  if (model === null || baseUrl === null) return playbook;
  const apiKey = keyVariable === null ? null : keys.of(keyVariable);
  const { temperature, extraBody, streamUsage } = native;
  const asked = createChatModel(
    { clock },
    {
      ...{ baseUrl, model, apiKey, contextTokens, prices, temperature, extraBody, streamUsage },
      ...headersFrom(native.headers, keys),
      proxy: proxyOf(keys.of),
    },
  );
  const fault = variableFault(native, keys);
  const chat = fault === null ? asked : unusable(asked, model, fault);
  return createModelChoice({
    playbook,
    chat,
    fallback: model === PLAYBOOK ? 'playbook' : 'chat',
  });
}

type NativeSettings = Settings['runtime']['native'];

function headersFrom(settings: NativeSettings['headers'], keys: RuntimeParts['keys']) {
  const headers: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, held] of Object.entries(settings)) {
    const value = 'value' in held ? held.value : (keys.of(held.variable) ?? '');
    headers[name] = value;
    if ('variable' in held) secrets.push(value, value.replace(/^(Bearer|Basic) +/i, ''));
  }
  return { headers, secrets };
}

function variableFault(
  { keyVariable, headers }: NativeSettings,
  keys: RuntimeParts['keys'],
): string | null {
  if (keyVariable !== null && keys.of(keyVariable) === null) {
    return `its key is missing. Export ${keyVariable} and restart svc.`;
  }
  for (const [name, held] of Object.entries(headers)) {
    if ('value' in held) continue;
    const value = keys.of(held.variable);
    const of = `the value of its header ${name}`;
    if (value === null) return `${of} is missing. Export ${held.variable} and restart svc.`;
    if (!isHeaderValue(value)) {
      return `${of} is invalid: ${held.variable} must be one line of printable ASCII.`;
    }
  }
  return null;
}

function unusable(model: TurnModel, name: string, fault: string): TurnModel {
  return {
    ...model,
    probe: async () => ({ ready: false, reason: fault }),
    // A continued chat starts without a probe.
    start: (turn) => ({
      model: turn.model ?? name,
      onFailedCall: 'stop',
      next: async () => ({ end: 'failed', reason: `The model cannot be called: ${fault}` }),
    }),
  };
}

/** Stores successful allow-list self-tests in a file. An unreadable file counts as no result. */
function createSelfTestCache(file: string): SelfTestCache {
  const read = async (): Promise<Record<string, unknown>> => {
    try {
      const found: unknown = JSON.parse(await readFile(file, 'utf8'));
      return isRecord(found) ? { ...found } : {};
    } catch {
      return {};
    }
  };
  return {
    async get(key) {
      return (await read())[key] === true ? { passed: true } : null;
    },
    async set(key, verdict: SelfTestResult) {
      const known = await read();
      if (verdict.passed) known[key] = true;
      else delete known[key];
      const temporary = `${file}.${newId()}.tmp`;
      await writeFile(temporary, `${JSON.stringify(known)}\n`, { mode: 0o600 });
      await rename(temporary, file);
    },
  };
}
