import {
  canConnect,
  canWrite,
  GRANTABLE_TOOLS,
  PERMISSION_MODES,
  type PermissionMode,
} from '@svc/records';
import { meantName } from '../misspelling.ts';
import { oneOf, shown } from '../plain.ts';
import { fault, readText, type Scope } from './scope.ts';

/** What a runtime enforces of the limits of a trigger; a part of the declaration of a runtime. */
export interface RuntimeHolds {
  /** Catalog tools that it offers, by full name. */
  readonly tools: readonly string[];
  /** Tool allow-list, and spawn depth: enforced, enforced only if its agent asks, or not enforced. */
  readonly toolAllowList: 'enforced' | 'asked' | 'none';
  readonly permissionModes: readonly PermissionMode[];
  /**
   * Which tools a list of hosts limits: all of them, all but Bash, or none. If all, the sandbox also enforces a tool list
   * that is not enforced otherwise, as read or write access and network. Default: none.
   */
  readonly network?: 'all' | 'except-bash' | 'none';
}

/** The properties of a runtime that validation uses; data only. */
export interface KnownRuntime {
  /** The value of `run.runtime` and `keeper.runtime`. */
  readonly name: string;
  readonly holds: RuntimeHolds;
  /** Whether its turns may cost money. */
  readonly costly: boolean;
  /** Models that are free of charge. Default: none. */
  readonly freeModels?: readonly string[];
  /**
   * Why a cost limit cannot be enforced and how to fix that; continues a sentence that begins with the name of the
   * limit. Default: it can.
   */
  readonly costUnknown?: string;
}

/** The runtimes, and which one is used. */
export interface RuntimeRules {
  /** The available runtimes. Default: `native` only, which enforces everything and may cost money. */
  readonly runtimes?: readonly KnownRuntime[];
  /** The default runtime. Default: `native`. */
  readonly defaultRuntime?: string;
  /** The default model. Default: that of the runtime. */
  readonly defaultModel?: string | undefined;
  /** The daily limit of cost of the project; null for none. Default: none. */
  readonly projectCostPerDayUsd?: number | null;
}

/** The runtime that is assumed without other information. */
export const NATIVE: KnownRuntime = {
  name: 'native',
  holds: {
    tools: GRANTABLE_TOOLS,
    toolAllowList: 'enforced',
    permissionModes: PERMISSION_MODES,
    network: 'all',
  },
  costly: true,
};

/** The runtime that a run would use; undefined if it is unknown. */
export function runtimeInForce(
  runtime: string | undefined,
  { runtimes = [NATIVE], defaultRuntime = 'native' }: RuntimeRules,
): KnownRuntime | undefined {
  const name = runtime ?? defaultRuntime;
  return runtimes.find((known) => known.name === name);
}

/** The limits of a trigger that its runtime must enforce. */
export interface RunLimits {
  /** As written, not as resolved. */
  readonly tools: readonly string[];
  readonly permissionMode?: PermissionMode | null | undefined;
  readonly maxSpawnDepth?: number | null | undefined;
  readonly network?: readonly string[] | null | undefined;
  /** Whether an event fires it: then an empty list of tools means none. */
  readonly onEvent: boolean;
}

/** A limit that a runtime cannot enforce. */
export interface UnheldLimit {
  readonly field: 'tools' | 'permissionMode' | 'maxSpawnDepth' | 'network';
  /** Continues a sentence that begins with the name of the field: the reason and the fix. */
  readonly message: string;
}

const HOLDS_NOT = {
  asked: 'can only refuse the calls that its agent asks about',
  none: 'does not restrict its agent',
} as const;

/**
 * The limits of a trigger that a runtime cannot enforce; empty if it enforces all.
 * @param all the runtimes to choose from, for the fix
 */
export function unenforcedLimits(
  { tools, permissionMode, maxSpawnDepth, network, onEvent }: RunLimits,
  { name, holds }: Pick<KnownRuntime, 'name' | 'holds'>,
  all: readonly Pick<KnownRuntime, 'name' | 'holds'>[] = [],
): UnheldLimit[] {
  const unheld: UnheldLimit[] = [];
  const { toolAllowList, network: hosts = 'none' } = holds;
  const why = toolAllowList === 'enforced' ? '' : `the ${name} runtime ${HOLDS_NOT[toolAllowList]}`;
  const better = elsewhere(all, (other) => other.toolAllowList === 'enforced');
  const add = (field: UnheldLimit['field'], message: string) => unheld.push({ field, message });
  if (why !== '' && tools.length > 0 && hosts !== 'all') {
    add('tools', `cannot be enforced: ${why}; ${orElse(better, 'leave the list out')}`);
  }
  if (why !== '' && tools.length === 0 && onEvent) {
    const none = 'is empty, which means no tools on an event, and that cannot be enforced';
    add('tools', `${none}: ${why}; ${orElse(better, 'fire it on a schedule')}`);
  }
  if (permissionMode === 'plan' && (why !== '' || !holds.permissionModes.includes('plan'))) {
    const reason = why === '' ? `the ${name} runtime does not know it` : why;
    const plans = elsewhere(
      all,
      (other) => other.toolAllowList === 'enforced' && other.permissionModes.includes('plan'),
    );
    add(
      'permissionMode',
      `is plan, which cannot be enforced: ${reason}; ${orElse(plans, OTHER_MODE)}`,
    );
  }
  if (why !== '' && maxSpawnDepth !== undefined && maxSpawnDepth !== null) {
    add('maxSpawnDepth', `cannot be enforced: ${why}; ${orElse(better, 'leave it out')}`);
  }
  const hostsFault = unlimitedHosts({ tools, network, onEvent }, name, hosts);
  if (hostsFault !== null) add('network', hostsFault);
  return unheld;
}

const OTHER_MODE = 'use another mode';

function unlimitedHosts(
  { tools, network, onEvent }: RunLimits,
  name: string,
  hosts: NonNullable<RuntimeHolds['network']>,
): string | null {
  // A schedule without a list runs the keeper, who has Bash.
  const hasBash = tools.includes('Bash') || (tools.length === 0 && !onEvent);
  const isLimited = hosts === 'all' || (hosts === 'except-bash' && !hasBash);
  if (network == null || isLimited) return null;
  const what = hosts === 'none' ? `the ${name} runtime` : `Bash of the ${name} runtime`;
  const fix = 'set up agents.sandbox (see svc doctor), or leave it out';
  return `cannot be enforced: ${what} does not run in a sandbox; ${fix}`;
}

function elsewhere(
  all: readonly Pick<KnownRuntime, 'name' | 'holds'>[],
  fits: (holds: RuntimeHolds) => boolean,
): string[] {
  return all.filter(({ holds }) => fits(holds)).map(({ name }) => name);
}

function orElse(better: readonly string[], otherwise: string): string {
  return better.length === 0 ? otherwise : `use runtime: ${better.join(' or ')}, or ${otherwise}`;
}

/** How a sandbox enforces a list of tools that its runtime does not enforce; null if it need not. */
export function sandboxAccess(
  tools: readonly string[],
  { name, holds }: Pick<KnownRuntime, 'name' | 'holds'>,
): string | null {
  const { toolAllowList, network } = holds;
  if (toolAllowList === 'enforced' || network !== 'all' || tools.length === 0) return null;
  const access = canWrite(tools) ? 'write access' : 'read-only access';
  const hosts = canConnect(tools) ? 'the network' : 'only the hosts of its vendor';
  return `is enforced for the ${name} runtime by its sandbox: as ${access} to the project and ${hosts}, not tool by tool`;
}

const MOST_NAMED = 20;
const LONGEST_NAME = 200;

/** Reads the name of a runtime; an unknown one is a fault that lists the known ones. */
export function readRuntimeName(scope: Scope, known: readonly KnownRuntime[]): string | undefined {
  const runtime = readText(scope, 'runtime', LONGEST_NAME);
  const names = known.map(({ name }) => name);
  if (runtime === undefined || names.includes(runtime)) return runtime;
  const meant = meantName(runtime.trim(), names);
  const choice = names.length === 0 ? 'remove it' : `use ${oneOf(names.slice(0, MOST_NAMED))}`;
  const hint = meant === null ? choice : `did you mean "${meant}"?`;
  fault(scope, 'runtime', `${shown(runtime)} is unknown; ${hint}`);
  return undefined;
}
