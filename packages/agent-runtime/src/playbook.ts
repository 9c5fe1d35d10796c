import type { ModelStep, TurnModel } from './model.ts';
import { parsePlaybook } from './playbook-steps.ts';

/**
 * A model without any AI: the prompt's fenced blocks are the steps (see `parsePlaybook`), each is one model call, the
 * first failure ends the turn. It says only what the author wrote, and never looks at event data. A prompt without
 * steps ends `no_model`.
 */
export function createPlaybook(): TurnModel {
  return {
    cost: 'none',
    onFailedCall: 'stop',
    probe: async () => ({ ready: true }),
    start({ prompt }) {
      const { steps, closing } = parsePlaybook(prompt.author);
      let at = 0;
      return {
        model: 'playbook',
        async next(): Promise<ModelStep> {
          const step = steps[at];
          if (step === undefined) {
            return {
              end: 'no_model',
              reason: 'This prompt has no steps and no model is configured.',
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
