import {
  type Definition,
  definitionHash,
  definitionOf,
  type EffectiveRuntimeOf,
  type EngineSettings,
  firedCapability,
  invalidOf,
  type PromptRemarks,
  runtimeIdFor,
  withBounds,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import { agentNameOf, type ClientBound, type Run, type Source } from '@svc/records';
import { flatTrigger, type ProjectFile, type TriggerRecord } from '@svc/trigger-schema';
import type { OpsDeps } from '../deps.ts';
import type { RuntimeState, TriggerStates } from './trigger-states.ts';

/** Triggers in flat form, for tools. */
export interface FlatTriggers {
  list(snapshot: ProjectSnapshot): Promise<FlatList>;
  one(project: string, name: string): Promise<FlatTrigger | null>;
}

/** A trigger in flat form, as `flatTriggerSchema` describes it. */
export type FlatTrigger = Readonly<Record<string, unknown>>;

/** The triggers of a project in flat form, with invalid entries and legacy schedules. */
export type FlatList = Readonly<Record<string, unknown>>;

export function createFlatTriggers(
  deps: OpsDeps,
  settings: EngineSettings,
  { statesOf, effectiveRuntimeOf, remarks }: FlatParts,
): FlatTriggers {
  const contextOf = async (snapshot: ProjectSnapshot, file: ProjectFile): Promise<FileContext> => {
    const { slug } = snapshot;
    const [runs, bounds, states] = await Promise.all([
      deps.store.runs.newest(slug),
      deps.store.triggers.bounds(slug),
      statesOf(snapshot, file),
    ]);
    const byKey = new Map(states.map((state) => [`${state.source}/${state.name}`, state]));
    return { deps, settings, slug, file, runs, bounds, states: byKey, effectiveRuntimeOf };
  };
  return {
    async list(snapshot) {
      const { slug, file } = snapshot;
      const invalid = invalidOf(snapshot).map(({ name, issues }) => ({ name, issues }));
      if (file === null) return { project: slug, count: 0, triggers: [], invalid };
      const context = await contextOf(snapshot, file);
      const warningsOn = (...of: [Source, Parameters<PromptRemarks['warnings']>[2]]) => {
        const warnings = remarks.warnings(snapshot, ...of);
        return warnings.length === 0 ? {} : { warnings };
      };
      const flat = [...file.triggers].map(([name, entry]) => ({
        ...flatOf(context, name),
        ...warningsOn('trigger', entry),
      }));
      const legacy = [...file.schedules].map(([name, entry]) => ({
        ...legacyOf(context, name),
        ...warningsOn('schedule', entry),
      }));
      return {
        project: slug,
        count: flat.length,
        triggers: flat,
        invalid,
        ...(legacy.length === 0 ? {} : { legacySchedules: legacy }),
      };
    },
    async one(project, name) {
      const snapshot = await deps.projects.snapshot(project);
      if (!snapshot?.file?.triggers.has(name)) return null;
      return flatOf(await contextOf(snapshot, snapshot.file), name);
    },
  };
}

interface FlatParts {
  readonly statesOf: TriggerStates;
  readonly effectiveRuntimeOf: EffectiveRuntimeOf;
  readonly remarks: Pick<PromptRemarks, 'warnings'>;
}

interface FileContext {
  readonly deps: OpsDeps;
  readonly settings: EngineSettings;
  readonly slug: string;
  readonly file: ProjectFile;
  readonly runs: ReadonlyMap<string, Run>;
  readonly bounds: ReadonlyMap<string, readonly ClientBound[]>;
  readonly states: ReadonlyMap<string, RuntimeState>;
  readonly effectiveRuntimeOf: EffectiveRuntimeOf;
}

function flatOf(context: FileContext, name: string) {
  const key = { project: context.slug, source: 'trigger', name } as const;
  const definition = definitionOf(context.file, key) as Definition;
  const capability = capabilityOf(context, definition);
  const { runtime, unheld } = context.effectiveRuntimeOf(definition, context.file.settings);
  return {
    name,
    agentName: agentNameOf(context.slug, name),
    ...flatTrigger(definition.record as TriggerRecord),
    ...stateOf(context, `trigger/${name}`),
    lastError: errorOf(context.runs.get(`trigger/${name}`)),
    capability,
    runtimeInForce: runtime,
    ...(unheld.length === 0 ? {} : { unheld }),
  };
}

function legacyOf(context: FileContext, name: string) {
  const definition = definitionOf(context.file, {
    project: context.slug,
    source: 'schedule',
    name,
  });
  const { when, enabled } = definition as Definition;
  return {
    name,
    type: when?.kind ?? 'cron',
    cron: when?.kind === 'cron' ? when.cron : null,
    interval: when?.kind === 'interval' ? when.interval : null,
    enabled,
    ...stateOf(context, `schedule/${name}`),
  };
}

function stateOf({ states, runs }: FileContext, key: string) {
  const state = states.get(key);
  const run = runs.get(key);
  return {
    armed: state?.armed ?? false,
    running: state?.running ?? false,
    paused: state?.paused ?? false,
    reason: state?.reason ?? null,
    ...(state?.clock === undefined ? {} : { clock: state.clock }),
    ...(state?.zoneData === undefined ? {} : { zoneData: state.zoneData }),
    ...(state?.attention === undefined ? {} : { attention: state.attention }),
    nextFire: state?.nextFire ?? null,
    lastRunAt: run?.startedAt ?? run?.claimedAt ?? null,
    lastOutcome: run?.outcome ?? null,
  };
}

function errorOf(run: Run | undefined): string | null {
  return run === undefined || run.outcome === 'succeeded' ? null : run.reason;
}

function capabilityOf({ deps, settings, file, bounds }: FileContext, definition: Definition) {
  const runtime = deps.runtimes.get(runtimeIdFor(definition.run, file.settings, settings));
  if (runtime === undefined) return null;
  const own = bounds.get(`${definition.key.name}/${definitionHash(definition.record)}`) ?? [];
  const fired = firedCapability(definition, file.settings, runtime, settings, null);
  const capability = withBounds(fired, own);
  const { runsAs, tools, permissionMode, maxTurns, maxSpawnDepth } = capability;
  return { runsAs, tools, permissionMode, maxTurns, maxSpawnDepth };
}
