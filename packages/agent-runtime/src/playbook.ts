import type { ModelStep, ModelTurn, TurnModel } from './model.ts';
import { parsePlaybook } from './playbook-steps.ts';
import type { PromptFault } from './runtime.ts';

/** The name of the model that is none. */
export const PLAYBOOK = 'playbook';

/**
 * A model without any AI: the prompt's fenced blocks are the steps (see `parsePlaybook`), each is one model call, the
 * first failure ends the turn. It says only what the author wrote, and never looks at event data. A prompt without
 * steps ends `no_model`, and so does a turn that asks for any other model than `playbook`.
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
                'This prompt has no steps, and playbook, which is no AI, does nothing else: write steps, or name a model.',
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
    const message = `names ${model}, but no model is configured, so each run ends as no_model. Set runtime.native.model and baseUrl, or leave it out.`;
    return { field: 'model', message };
  }
  return parsePlaybook(prompt).steps.length > 0 ? null : NO_STEPS;
}

const NO_STEPS: PromptFault = {
  field: 'prompt',
  message:
    'has no steps, and the model playbook runs nothing else, so each run ends as no_model. Write steps in ```bash blocks, or set runtime.native.model.',
};

// Running the steps all the same would be taken for the work of the model that was asked for.
function withoutModel(model: string): ModelTurn {
  const reason = `The model ${model} is not available: leave the model out to run the steps of the prompt as a playbook, without AI.`;
  return { model: PLAYBOOK, onFailedCall: 'stop', next: async () => ({ end: 'no_model', reason }) };
}
