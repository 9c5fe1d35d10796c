import type { Runtime } from '@svc/agent-runtime';
import { type Issue, sentencesOf } from '@svc/core';
import type { Capability } from '@svc/records';
import { type KnownRuntime, type ProjectSettings, unenforcedLimits } from '@svc/trigger-schema';
import type { Definition } from '../definition.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import { runtimeIdFor } from './ready-runtime.ts';

/** The runtime of a trigger, and limits that it cannot enforce. */
export interface EffectiveRuntime {
  readonly runtime: string;
  /** Empty if it can fire; a runtime that does not exist is one issue. */
  readonly unheld: readonly Issue[];
}

export type EffectiveRuntimeOf = (
  definition: Definition,
  project: Pick<ProjectSettings, 'keeper'>,
) => EffectiveRuntime;

type Facts = Pick<KnownRuntime, 'name' | 'holds'>;

function factsOf({ id: name, holds }: Runtime): Facts {
  return { name, holds };
}

export function createEffectiveRuntime(
  { runtimes }: Pick<EngineDeps, 'runtimes'>,
  settings: Pick<EngineSettings, 'defaultRuntime'>,
): EffectiveRuntimeOf {
  const all = [...runtimes.values()].map(factsOf);
  return (definition, project) => {
    const id = runtimeIdFor(definition.run, project, settings);
    const runtime = runtimes.get(id);
    if (runtime === undefined) return { runtime: id, unheld: [unknown(definition, project, id)] };
    return { runtime: id, unheld: unenforcedOf(definition, project, factsOf(runtime), all) };
  };
}

function unknown({ run }: Definition, { keeper }: Pick<ProjectSettings, 'keeper'>, id: string) {
  const own = run.runtime === null ? '' : 'run.runtime';
  const path = own === '' && keeper.runtime !== undefined ? 'keeper.runtime' : own;
  return { path, message: `names the runtime "${id}", which this instance does not have.` };
}

// A schedule without a list runs as the keeper, with the permission mode of the keeper.
function unenforcedOf(
  { run, type }: Definition,
  { keeper }: Pick<ProjectSettings, 'keeper'>,
  runtime: Facts,
  all: readonly Facts[],
): Issue[] {
  const inherits = run.permissionMode === null && type === 'schedule' && run.tools.length === 0;
  const permissionMode = inherits ? keeper.permissionMode : run.permissionMode;
  const limits = { ...run, permissionMode, onEvent: type === 'event' };
  return unenforcedLimits(limits, runtime, all).map(({ field, message }) => ({
    path: inherits && field === 'permissionMode' ? 'keeper.permissionMode' : `run.${field}`,
    message: `${message}.`,
  }));
}

/** Why a trigger cannot fire on its runtime, in one or more sentences; null if it can. */
export function runtimeFault({ unheld }: EffectiveRuntime): string | null {
  return unheld.length === 0 ? null : sentencesOf(unheld, 'The trigger');
}

/** Why a runtime cannot run turns with a capability; null if it can. */
export function capabilityFault(capability: Capability, runtime: Runtime): string | null {
  const isAgent = capability.runsAs === 'agent';
  const { permissionMode, network } = capability;
  const tools = isAgent ? capability.tools : [];
  const limits = { tools, permissionMode, network, onEvent: isAgent };
  const [first] = unenforcedLimits(limits, factsOf(runtime));
  return first === undefined
    ? null
    : `The ${runtime.id} runtime cannot enforce ${LIMIT_NAMES[first.field]} of this turn.`;
}

const LIMIT_NAMES = {
  tools: 'a list of tools',
  permissionMode: 'the permission mode plan',
  maxSpawnDepth: 'the spawn depth',
  network: 'the list of hosts',
} as const;

/** Whether the runtime has to enforce limits for a turn; `inherited` is the default spawn depth. */
export function isLimited(capability: Capability, inherited: number): boolean {
  const { runsAs, permissionMode, maxSpawnDepth, network } = capability;
  const isLimited = runsAs === 'agent' || permissionMode === 'plan' || network !== undefined;
  return isLimited || maxSpawnDepth < inherited;
}
