import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Environment } from '@svc/cli';
import { type Issue, type Logger, messageOf } from '@svc/core';
import {
  type BootLine,
  inspectManagement,
  MANAGEMENT_KEYS,
  type ManagementConfig,
  type ManagementReport,
} from '@svc/mgmt-auth';
import { CATALOGUE } from '@svc/ops';
import { readEnvFile, type Settings } from '@svc/settings';
import { didYouMean } from '@svc/trigger-schema';
import { type Home, issuesText } from './home.ts';

/** The settings of the management endpoint. */
export type ManagementSettings = Pick<Settings, 'managementApi' | 'envFile'>;

/** The current configuration of the management endpoint, which can change while the service runs. */
export interface Management {
  /** null: the endpoint is disabled. */
  readonly current: ManagementConfig | null;
  /** Replaces the configuration and notifies all listeners. */
  configure(config: ManagementConfig | null): void;
  /** Calls back at once with the current configuration, and after every change. */
  onConfig(listener: (config: ManagementConfig | null) => void): void;
}

/** Creates a holder of the configuration. */
export function createManagement(initial: ManagementConfig | null): Management {
  let current = initial;
  const listeners: ((config: ManagementConfig | null) => void)[] = [];
  return {
    get current() {
      return current;
    },
    configure(config) {
      current = config;
      for (const listener of listeners) listener(config);
    },
    onConfig(listener) {
      listeners.push(listener);
      listener(current);
    },
  };
}

/**
 * Reads the block `managementApi` and the tokens it refers to. `envFile` takes precedence over the environment, and is used for
 * nothing else.
 *
 * @throws SettingsError `env_file_unusable`
 */
export async function readManagement(
  home: Home,
  settings: ManagementSettings,
  env: Environment,
): Promise<ManagementReport> {
  const { managementApi, envFile } = settings;
  const file = envFile === null ? {} : await readEnvFile(resolve(home.root, envFile));
  return inspectManagement(managementApi, { ...env, ...file }, CATALOGUE);
}

/** Logs each line at its level, with the message unchanged. */
export function logBootLines(logger: Logger, lines: readonly BootLine[]): void {
  for (const { level, message, fields } of lines) {
    logger[level]({ ...fields, ...hintFor(fields) }, message);
  }
}

// Suggests a known key for an unknown one. Only lines about unknown keys of the block itself have `key` as their single field.
function hintFor(fields: BootLine['fields']): { readonly hint?: string } {
  const { key } = fields;
  if (typeof key !== 'string' || Object.keys(fields).length > 1) return {};
  const hint = didYouMean(key, [...MANAGEMENT_KEYS]).trim();
  return hint === '' ? {} : { hint };
}

/** Dependencies of the reloader. */
export interface ReloaderParts {
  readonly home: Home;
  readonly env: Environment;
  readonly logger: Logger;
  /** The settings at the start of the service. */
  readonly started: Settings;
  readonly readSettings: () => Promise<ReadSettings>;
  readonly apply: (config: ManagementConfig | null) => void;
}

/** The settings that were read again, or their errors. */
type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly issues: readonly Issue[] };

const RELOADED: readonly string[] = ['managementApi', 'envFile'];

/**
 * Creates a function that reloads `managementApi` and `envFile`. Calls run one after another and never throw: an invalid
 * configuration is logged, and the current one stays.
 */
export function createReloader(parts: ReloaderParts): () => Promise<void> {
  const reload = async (): Promise<void> => {
    try {
      await reloadOnce(parts);
    } catch (error) {
      refuse(parts, messageOf(error));
    }
  };
  let last = Promise.resolve();
  return () => {
    last = last.then(reload);
    return last;
  };
}

async function reloadOnce(parts: ReloaderParts): Promise<void> {
  const { home, env, logger, started } = parts;
  const resolved = await parts.readSettings();
  if (!resolved.ok) {
    refuse(parts, issuesText(home, resolved.issues));
    return;
  }
  const { settings } = resolved;
  const { config, lines } = await readManagement(home, settings, env);
  parts.apply(config);
  const changed = changedKeys(started, settings);
  if (changed.length > 0) {
    logger.warn({ file: home.config, settings: changed }, 'changed settings need a restart');
  }
  logBootLines(logger, lines);
  logger.info({ file: home.config }, 'reloaded');
}

function refuse({ home, logger }: ReloaderParts, error: string): void {
  logger.error({ file: home.config, error }, 'configuration not reloaded, keeping the current one');
}

function changedKeys(before: Settings, after: Settings): string[] {
  return Object.entries(after)
    .filter(([key, value]) => !isDeepStrictEqual(value, before[key as keyof Settings]))
    .map(([key]) => key)
    .filter((key) => !RELOADED.includes(key));
}
