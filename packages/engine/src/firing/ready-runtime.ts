import type { Runtime } from '@svc/agent-runtime';
import { failure, type Result, success } from '@svc/core';
import type { ProjectSettings } from '@svc/trigger-schema';
import type { Definition } from '../definition.ts';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import type { OperationError } from '../errors.ts';

/** The runtime of a turn: that of its trigger, else of its project, else of the instance. */
export function runtimeIdFor(
  run: Pick<Definition['run'], 'runtime'> | null,
  project: Pick<ProjectSettings, 'keeper'>,
  settings: Pick<EngineSettings, 'defaultRuntime'>,
): string {
  return run?.runtime ?? project.keeper.runtime ?? settings.defaultRuntime;
}

/** A runtime that can start a turn with this model now, or why it cannot. */
export async function readyRuntime(
  deps: Pick<EngineDeps, 'runtimes'>,
  id: string,
  model: string | null,
): Promise<Result<Runtime, OperationError>> {
  const runtime = deps.runtimes.get(id);
  const stop = (message: string) => failure({ code: 'run_failed' as const, message });
  if (runtime === undefined) return stop(`This instance has no runtime "${id}".`);
  const probe = await runtime.probe(model);
  if (probe.ready) return success(runtime);
  const isNamed = probe.reason.toLowerCase().includes(`the ${id} runtime`.toLowerCase());
  return stop(isNamed ? probe.reason : `The ${id} runtime cannot start: ${probe.reason}`);
}

/** Why a turn of a trigger cannot start on its runtime now, in a sentence; null if it can. */
export type Readiness = (
  definition: Pick<Definition, 'run'>,
  project: Pick<ProjectSettings, 'keeper'>,
) => Promise<string | null>;

/** Creates a check for many triggers that probes each runtime once per model. */
export function createReadiness(
  deps: Pick<EngineDeps, 'runtimes'>,
  settings: Pick<EngineSettings, 'defaultRuntime'>,
): Readiness {
  const known = new Map<string, Promise<string | null>>();
  return ({ run }, project) => {
    const id = runtimeIdFor(run, project, settings);
    const model = run.model ?? project.keeper.model ?? null;
    const key = `${id} ${model}`;
    const found =
      known.get(key) ??
      readyRuntime(deps, id, model).then((ready) => (ready.ok ? null : ready.error.message));
    known.set(key, found);
    return found;
  };
}
