import { type Fields, fieldsOf, listOf, textOf } from './json.ts';
import { AgentError, type RpcConnection } from './rpc-connection.ts';

/** The model that a session uses. */
export interface ModelChoice {
  /** null if unknown. */
  readonly model: string | null;
  /** A message for the chat; null for none. */
  readonly notice: string | null;
}

interface ModelSelector {
  readonly current: string | null;
  readonly models: readonly string[];
  readonly method: string;
  /** The parameters that select a model. */
  params(model: string): object;
}

const MAX_LISTED_MODELS = 20;

/**
 * Selects the requested model, or else the default, if the agent supports it. Throws an `AgentError` if the agent does not
 * have that model.
 */
export async function chooseModel(
  connection: RpcConnection,
  sessionId: string,
  opened: Fields,
  { model, defaultModel }: { readonly model: string | null; readonly defaultModel: string | null },
): Promise<ModelChoice> {
  const wanted = model ?? defaultModel;
  const selector = findSelector(opened);
  if (selector === null) {
    const notice =
      model === null || model === defaultModel
        ? null
        : `The agent does not support choosing a model, so ${model} was not requested.`;
    return { model: defaultModel, notice };
  }
  if (wanted === null || wanted === selector.current) {
    return { model: selector.current, notice: null };
  }
  if (!selector.models.includes(wanted)) {
    const available = selector.models.slice(0, MAX_LISTED_MODELS).join(', ') || 'none';
    throw new AgentError(`The agent has no model "${wanted}". Available models: ${available}.`);
  }
  await connection.request(selector.method, { sessionId, ...selector.params(wanted) });
  return { model: wanted, notice: null };
}

function findSelector(opened: Fields): ModelSelector | null {
  const option = listOf(opened['configOptions']).find(
    ({ category, type }) => category === 'model' && type === 'select',
  );
  const configId = textOf(option?.['id']);
  if (option !== undefined && configId !== null) {
    return {
      current: textOf(option['currentValue']),
      models: valuesOf(option['options']),
      method: 'session/set_config_option',
      params: (value) => ({ configId, value }),
    };
  }
  // Earlier versions of the protocol had no configuration options.
  const { availableModels, currentModelId } = fieldsOf(opened['models']);
  const models = listOf(availableModels).map(({ modelId }) => textOf(modelId));
  if (models.length === 0) return null;
  return {
    current: textOf(currentModelId),
    models: models.filter((id) => id !== null),
    method: 'session/set_model',
    params: (modelId) => ({ modelId }),
  };
}

function valuesOf(options: unknown): readonly string[] {
  return listOf(options).flatMap(({ value, options: group }) => {
    const text = textOf(value);
    return text === null ? valuesOf(group) : [text];
  });
}
