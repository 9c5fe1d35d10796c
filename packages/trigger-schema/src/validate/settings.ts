import { PERMISSION_MODES, PROJECT_STATUSES } from '@svc/records';
import { costPerDaySchema } from '../cost-per-day.schema.ts';
import { defined } from '../plain.ts';
import type { ProjectSettings } from '../project-settings.schema.ts';
import { cut } from '../report.ts';
import { type HostRules, readHosts } from './hosts.ts';
import { checkKeys } from './keys.ts';
import { isBlank } from './prompt.ts';
import { type KnownRuntime, readRuntimeName } from './runtimes.ts';
import {
  given,
  readBoolean,
  readChoice,
  readMap,
  readNumber,
  readText,
  readWhole,
  type Scope,
} from './scope.ts';

const SETTINGS = [
  'name',
  'summary',
  'area',
  'status',
  'repo',
  'hooksMcpEnabled',
  'agentTriggersStartDisabled',
  'maxSpawnDepth',
  'costPerDayUsd',
  'network',
  'keeper',
] as const;
const KEEPER = ['runtime', 'model', 'permissionMode', 'instructions'] as const;
const MAPS = ['triggers', 'schedules'] as const;
const MAX_LINE = 1000;
const MAX_INSTRUCTIONS = 256 * 1024;
const DEEPEST = 8;

/**
 * Reads the settings of a project. A bad value is reported and replaced by its default, or if it restricts agents,
 * by the strictest value.
 */
export function readSettings(
  root: Scope,
  runtimes: readonly KnownRuntime[],
  hosts: HostRules = {},
): ProjectSettings {
  checkKeys(root, [...SETTINGS, ...MAPS], 'warn');
  return defined({
    name: readOptional(root, 'name', MAX_LINE),
    summary: readOptional(root, 'summary', MAX_INSTRUCTIONS),
    area: readOptional(root, 'area', MAX_LINE),
    status: readChoice(root, 'status', PROJECT_STATUSES) ?? 'active',
    repo: readOptional(root, 'repo', MAX_LINE),
    hooksMcpEnabled: readBoolean(root, 'hooksMcpEnabled') === true,
    agentTriggersStartDisabled: strict(
      root,
      'agentTriggersStartDisabled',
      readBoolean(root, 'agentTriggersStartDisabled'),
      true,
    ),
    maxSpawnDepth: strict(root, 'maxSpawnDepth', readWhole(root, 'maxSpawnDepth', 0, DEEPEST), 0),
    costPerDayUsd: strict(root, 'costPerDayUsd', readCostPerDay(root), 0),
    network: strict(root, 'network', readHosts(root, hosts), []),
    keeper: readKeeper(root, runtimes),
  }) as ProjectSettings;
}

// An unknown runtime is kept: turns then fail with that reason, which is better than another runtime.
function readKeeperRuntime(keeper: Scope, runtimes: readonly KnownRuntime[]): string | undefined {
  const written = given(keeper, 'runtime');
  if (isBlank(written)) return undefined;
  const known = readRuntimeName(keeper, runtimes);
  return known ?? (typeof written === 'string' ? cut(written, MAX_LINE) : undefined);
}

function readKeeper(root: Scope, runtimes: readonly KnownRuntime[]): ProjectSettings['keeper'] {
  const keeper = readMap(root, 'keeper');
  if (keeper === undefined) return {};
  checkKeys(keeper, KEEPER, 'warn');
  return defined({
    runtime: readKeeperRuntime(keeper, runtimes),
    model: readOptional(keeper, 'model', MAX_LINE),
    permissionMode: strict(
      keeper,
      'permissionMode',
      readChoice(keeper, 'permissionMode', PERMISSION_MODES),
      'plan',
    ),
    instructions: readOptional(keeper, 'instructions', MAX_INSTRUCTIONS),
  });
}

function readCostPerDay(root: Scope): number | undefined {
  const { exclusiveMinimum, maximum } = costPerDaySchema;
  return readNumber(root, 'costPerDayUsd', exclusiveMinimum, maximum);
}

// A misspelt restriction was meant to restrict.
function strict<T>(scope: Scope, key: string, read: T | undefined, strictest: T): T | undefined {
  return read === undefined && given(scope, key) !== undefined ? strictest : read;
}

/** An empty text counts as absent here. */
function readOptional(scope: Scope, key: string, longest: number): string | undefined {
  return isBlank(given(scope, key)) ? undefined : readText(scope, key, longest);
}
