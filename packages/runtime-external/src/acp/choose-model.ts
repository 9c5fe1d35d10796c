import { AgentFault } from './agent-fault.ts';
import type { Connection } from './connection.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';

/** Which model a session uses. */
export interface ModelChoice {
  /** null where the agent does not tell. */
  readonly model: string | null;
  /** What there is to say of it; null for nothing. */
  readonly notice: string | null;
}

interface Offer {
  readonly current: string | null;
  readonly models: readonly string[];
  readonly method: string;
  /** Parameters of the method for one model. */
  params(model: string): object;
}

const MOST_TOLD = 20;

/** Sets the model that is wanted where the agent lets somebody choose. Throws an `AgentFault` for one that it has not. */
export async function chooseModel(
  connection: Connection,
  sessionId: string,
  opened: Fields,
  { model, usual }: { readonly model: string | null; readonly usual: string | null },
): Promise<ModelChoice> {
  const wanted = model ?? usual;
  const offer = offerIn(opened);
  if (offer === null) {
    const notice =
      model === null || model === usual
        ? null
        : `The agent lets nobody choose its model: ${model} was not asked for.`;
    return { model: usual, notice };
  }
  if (wanted === null || wanted === offer.current) return { model: offer.current, notice: null };
  if (!offer.models.includes(wanted)) {
    const told = offer.models.slice(0, MOST_TOLD).join(', ');
    throw new AgentFault(`The agent has no model ${wanted}; it has ${told || 'none'}.`);
  }
  await connection.request(offer.method, { sessionId, ...offer.params(wanted) });
  return { model: wanted, notice: null };
}

function offerIn(opened: Fields): Offer | null {
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
  // As agents had it before there were options.
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
    const one = textOf(value);
    return one === null ? valuesOf(group) : [one];
  });
}
