import { useQuery } from '@tanstack/react-query';
import type { Draft } from '../model/draft.ts';
import { type Holding, mayCost, runsSteps } from '../model/runtime-words.ts';
import { type EffectiveSettings, type Runtime, settingsQuery } from './service.ts';
import type { Chat } from './shapes.ts';
import { useProject } from './use-project.ts';

/** The runtimes that there are, and which one a draft takes. */
export interface DraftRuntime {
  /** Empty while they are not known. */
  readonly runtimes: readonly Runtime[];
  /** What is taken where none is named; undefined while that is not known. */
  readonly fallback: string | undefined;
  /** Whether that is what the project says, and not the service. */
  readonly isOfProject: boolean;
  /** What the draft takes; undefined where that is not known, or is none of those that there are. */
  readonly chosen: Runtime | undefined;
  /** What the keeper of the project is asked with; null where the project leaves it to the runtime. */
  readonly keeperModel: string | null;
  /** Whether a fire of it may cost money, as far as is known. */
  readonly mayCost: boolean;
}

/** Which runtime a draft takes, and what is to be known of it. */
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

/** What the runtime of a chat makes of its limits; undefined while that is not known, or where it is gone. */
export function useChatRuntime({
  runtime,
  model,
}: Pick<Chat, 'runtime' | 'model'>): Holding | undefined {
  const { data } = useQuery(settingsQuery);
  const found = data?.runtimes.find(({ id }) => id === runtime);
  return found && { ...found, runsSteps: runsSteps(found, askedModel(data, model ?? '')) };
}

// What is asked of the runtime native where nobody names a model.
function askedModel(data: EffectiveSettings | undefined, model: string): string {
  const given = data?.settings['runtime.native.model']?.value;
  return model === '' && typeof given === 'string' ? given : model;
}
