import { GRANTABLE_TOOLS, PERMISSION_MODES, type PermissionMode } from '@svc/records';
import { meantName } from '../misspelling.ts';
import { oneOf, shown } from '../plain.ts';
import { fault, readText, type Scope } from './scope.ts';

/** How far a runtime holds what a trigger may ask of it; a part of what runtimes declare. */
export interface RuntimeHolds {
  /** Catalogue tools that it offers, by full name. */
  readonly tools: readonly string[];
  /** A list of tools, and a spawn depth: held for sure, only where its agent asks, or not at all. */
  readonly toolAllowList: 'enforced' | 'asked' | 'none';
  readonly permissionModes: readonly PermissionMode[];
}

/** What is to be known of a runtime where triggers are checked; data only. */
export interface KnownRuntime {
  /** As `run.runtime` and `keeper.runtime` have it. */
  readonly name: string;
  readonly holds: RuntimeHolds;
  /** Whether its turns may cost money. */
  readonly costly: boolean;
  /** Models of it that cost nothing all the same. Default: none. */
  readonly freeModels?: readonly string[];
  /** Why a limit of cost cannot be held, and what would help, as it goes on from the name of the limit. Default: it can. */
  readonly costUnknown?: string;
}

/** The runtimes, and which one is taken. */
export interface RuntimeRules {
  /** The runtimes that there are. Default: `native` alone, which holds everything and may cost money. */
  readonly runtimes?: readonly KnownRuntime[];
  /** The runtime of what names none. Default `native`. */
  readonly defaultRuntime?: string;
  /** The model of what names none. Default: that of the runtime. */
  readonly defaultModel?: string | undefined;
  /** The daily limit of cost of the project; null for none. Default: none. */
  readonly projectCostPerDayUsd?: number | null;
}

/** A runtime of which nothing better is known. */
export const NATIVE: KnownRuntime = {
  name: 'native',
  holds: {
    tools: GRANTABLE_TOOLS,
    toolAllowList: 'enforced',
    permissionModes: PERMISSION_MODES,
  },
  costly: true,
};

/** The runtime that a fire would take; undefined where it is none of those that there are. */
export function runtimeInForce(
  runtime: string | undefined,
  { runtimes = [NATIVE], defaultRuntime = 'native' }: RuntimeRules,
): KnownRuntime | undefined {
  const name = runtime ?? defaultRuntime;
  return runtimes.find((known) => known.name === name);
}

/** What of a trigger its runtime has to hold. */
export interface RunLimits {
  /** As they are written, not what comes of them. */
  readonly tools: readonly string[];
  readonly permissionMode?: PermissionMode | null | undefined;
  readonly maxSpawnDepth?: number | null | undefined;
  /** Whether an event fires it: an empty list of tools then means none. */
  readonly onEvent: boolean;
}

/** A limit that a runtime cannot hold. */
export interface UnheldLimit {
  readonly field: 'tools' | 'permissionMode' | 'maxSpawnDepth';
  /** Goes on from the name of the field: why, and what would be right. */
  readonly message: string;
}

const HOLDS_NOT = {
  asked: 'only refuses what its agent asks for',
  none: 'lets its agent do as it likes',
} as const;

/**
 * The limits of a trigger that a runtime cannot hold; empty where it holds all of them.
 *
 * @param all the runtimes to choose from, for what would be right
 */
export function unheldLimits(
  { tools, permissionMode, maxSpawnDepth, onEvent }: RunLimits,
  { name, holds }: Pick<KnownRuntime, 'name' | 'holds'>,
  all: readonly Pick<KnownRuntime, 'name' | 'holds'>[] = [],
): UnheldLimit[] {
  const unheld: UnheldLimit[] = [];
  const { toolAllowList } = holds;
  const why = toolAllowList === 'enforced' ? '' : `the runtime ${name} ${HOLDS_NOT[toolAllowList]}`;
  const better = elsewhere(all, (other) => other.toolAllowList === 'enforced');
  const add = (field: UnheldLimit['field'], message: string) => unheld.push({ field, message });
  if (why !== '' && tools.length > 0) {
    add('tools', `cannot be held: ${why}; ${orElse(better, 'leave the list out')}`);
  }
  if (why !== '' && tools.length === 0 && onEvent) {
    const none = 'is empty, which means no tools on an event, and that cannot be held';
    add('tools', `${none}: ${why}; ${orElse(better, 'fire it by a schedule')}`);
  }
  if (permissionMode === 'plan' && (why !== '' || !holds.permissionModes.includes('plan'))) {
    const reason = why === '' ? `the runtime ${name} does not know it` : why;
    const plans = elsewhere(
      all,
      (other) => other.toolAllowList === 'enforced' && other.permissionModes.includes('plan'),
    );
    add('permissionMode', `is plan, which cannot be held: ${reason}; ${orElse(plans, OTHER_MODE)}`);
  }
  if (why !== '' && maxSpawnDepth !== undefined && maxSpawnDepth !== null) {
    add('maxSpawnDepth', `cannot be held: ${why}; ${orElse(better, 'leave it out')}`);
  }
  return unheld;
}

const OTHER_MODE = 'write another mode';

function elsewhere(
  all: readonly Pick<KnownRuntime, 'name' | 'holds'>[],
  fits: (holds: RuntimeHolds) => boolean,
): string[] {
  return all.filter(({ holds }) => fits(holds)).map(({ name }) => name);
}

function orElse(better: readonly string[], otherwise: string): string {
  return better.length === 0 ? otherwise : `write runtime: ${better.join(' or ')}, or ${otherwise}`;
}

const MOST_NAMED = 20;
const LONGEST_NAME = 200;

/** Reads the name of a runtime; an unknown one is a fault that names those that there are. */
export function readRuntimeName(scope: Scope, known: readonly KnownRuntime[]): string | undefined {
  const runtime = readText(scope, 'runtime', LONGEST_NAME);
  const names = known.map(({ name }) => name);
  if (runtime === undefined || names.includes(runtime)) return runtime;
  const meant = meantName(runtime.trim(), names);
  const choice = names.length === 0 ? 'leave it out' : `write ${oneOf(names.slice(0, MOST_NAMED))}`;
  const hint = meant === null ? choice : `did you mean "${meant}"?`;
  fault(scope, 'runtime', `${shown(runtime)} is no runtime of this instance; ${hint}`);
  return undefined;
}
