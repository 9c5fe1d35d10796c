import type { TurnModel } from './model.ts';
import { PLAYBOOK } from './playbook.ts';

/** The models that turns can use. */
export interface ModelChoice {
  readonly playbook: TurnModel;
  /** Serves every model except `playbook`. */
  readonly chat: TurnModel;
  /** The default for turns that name no model. */
  readonly fallback: 'playbook' | 'chat';
}

/** Combines two models: `playbook` selects the playbook, every other name goes to the endpoint. */
export function createModelChoice({ playbook, chat, fallback }: ModelChoice): TurnModel {
  const choose = (model: string | null): TurnModel => {
    const asked = model ?? (fallback === 'playbook' ? PLAYBOOK : null);
    return asked === PLAYBOOK ? playbook : chat;
  };
  return {
    cost: chat.cost,
    probe: (model = null) => choose(model).probe(model),
    runsSteps: (model) => choose(model).runsSteps?.(model) ?? false,
    promptFault: (prompt, model) => choose(model).promptFault?.(prompt, model) ?? null,
    start: (turn) => choose(turn.model).start(turn),
  };
}
