import type { TurnModel } from './model.ts';
import { PLAYBOOK } from './playbook.ts';

/** Where turns find what thinks for them. */
export interface ModelChoice {
  readonly playbook: TurnModel;
  /** What every model but `playbook` is asked at. */
  readonly chat: TurnModel;
  /** Which of them turns take that name no model. */
  readonly fallback: 'playbook' | 'chat';
}

/** Makes one model of two: a turn that asks for `playbook` has the playbook, any other name goes to the endpoint. */
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
