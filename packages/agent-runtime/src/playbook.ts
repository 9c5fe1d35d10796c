import type { ModelStep, ModelTurn, TurnModel } from './model.ts';
import { parsePlaybook } from './playbook-steps.ts';
import type { PromptFault } from './runtime.ts';

/** The model name that selects the playbook. */
export const PLAYBOOK = 'playbook';

/**
 * A model without AI: the fenced blocks of the prompt are the steps (see `parsePlaybook`), each step counts as one
 * model call, and the first failure ends the turn. It outputs only what the author wrote and ignores event data. A
 * prompt without steps, or a turn that asks for another model than `playbook`, ends with `no_model`.
 */
export function createPlaybook(): TurnModel {
  return {
    cost: 'none',
    probe: async () => ({ ready: true }),
    runsSteps: () => true,
    promptFault,
    start({ prompt, model }) {
      if (model !== null && model !== PLAYBOOK) return withoutModel(model);
      const { steps, closing } = parsePlaybook(prompt.author);
      let at = 0;
      return {
        model: PLAYBOOK,
        onFailedCall: 'stop',
        async next(): Promise<ModelStep> {
          const step = steps[at];
          if (step === undefined) {
            return {
              end: 'no_model',
              reason:
                'The model is playbook, which only runs steps, and the prompt has none. Add steps or choose another model.',
            };
          }
          at += 1;
          const calls = [{ name: step.name, input: step.input, fault: step.fault }];
          return at < steps.length
            ? { text: step.text, calls }
            : { text: step.text, calls, last: { closing: closing === '' ? null : closing } };
        },
      };
    },
  };
}

function promptFault(prompt: string, model: string | null): PromptFault | null {
  if (model !== null && model !== PLAYBOOK) {
    const message = `names ${model}, but no model is configured, so every run ends with no_model. Set runtime.native.model and baseUrl, or remove it.`;
    return { field: 'model', message };
  }
  return parsePlaybook(prompt).steps.length > 0 ? null : NO_STEPS;
}

const NO_STEPS: PromptFault = {
  field: 'prompt',
  message:
    'has no steps, and the playbook model only runs steps, so every run ends with no_model. Write steps in ```bash blocks, or set runtime.native.model.',
};

// Running the steps anyway would look like the work of the requested model.
function withoutModel(model: string): ModelTurn {
  const reason = `Model "${model}" is not available. Remove the model to run the steps of the prompt without AI.`;
  return { model: PLAYBOOK, onFailedCall: 'stop', next: async () => ({ end: 'no_model', reason }) };
}
