import { useQuery } from '@tanstack/react-query';
import type { Draft } from '../model/draft.ts';
import { mayCost, type RuntimeLimits, runsSteps } from '../model/runtime-text.ts';
import type { Chat } from './api-types.ts';
import { type EffectiveSettings, type Runtime, settingsQuery } from './service.ts';
import { useProject } from './use-project.ts';

/** The available runtimes, and the one that a draft uses. */
export interface DraftRuntime {
  /** Empty until they are loaded. */
  readonly runtimes: readonly Runtime[];
  /** The default runtime; undefined until it is known. */
  readonly fallback: string | undefined;
  /** Whether the default comes from the project instead of the service. */
  readonly isOfProject: boolean;
  /** The runtime of the draft; undefined when it is not known or not available. */
  readonly chosen: Runtime | undefined;
  /** The model of the keeper; null when the runtime decides. */
  readonly keeperModel: string | null;
  /** Whether a run may cost money, as far as is known. */
  readonly mayCost: boolean;
}

/** Returns the runtime of a draft and its properties. */
export function useDraftRuntime(
  slug: string,
  { runtime, model }: Pick<Draft, 'runtime' | 'model'>,
): DraftRuntime {
  const { data } = useQuery(settingsQuery);
  const { keeper } = useProject(slug);
  const runtimes = data?.runtimes ?? [];
  const standard = runtimes.find(({ isDefault }) => isDefault)?.id;
  const fallback = keeper?.runtime ?? standard;
  const chosen = runtimes.find(({ id }) => id === (runtime === '' ? fallback : runtime));
  const asked = askedModel(data, model.trim() === '' ? (keeper?.model ?? '') : model.trim());
  return {
    runtimes,
    fallback,
    isOfProject: fallback !== standard,
    chosen,
    keeperModel: keeper?.model ?? null,
    mayCost: chosen !== undefined && mayCost(chosen, asked),
  };
}

/** The limits that the runtime of a chat enforces; undefined until they are known, and when the runtime no longer exists. */
export function useChatRuntime({
  runtime,
  model,
}: Pick<Chat, 'runtime' | 'model'>): RuntimeLimits | undefined {
  const { data } = useQuery(settingsQuery);
  const found = data?.runtimes.find(({ id }) => id === runtime);
  return found && { ...found, runsSteps: runsSteps(found, askedModel(data, model ?? '')) };
}

// The native runtime uses its configured model when none is given.
function askedModel(data: EffectiveSettings | undefined, model: string): string {
  const given = data?.settings['runtime.native.model']?.value;
  return model === '' && typeof given === 'string' ? given : model;
}
