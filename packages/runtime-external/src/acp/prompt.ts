import { historyText, promptText, type TurnSpec } from '@svc/agent-runtime';

/**
 * What an agent is asked: the instructions, what was said before where it does not know that, and the prompt; never that
 * alone, as what begins with a slash would be a command of the agent.
 */
export async function promptOf(spec: TurnSpec, knowsBefore: boolean): Promise<string> {
  const history = knowsBefore ? null : historyText(await spec.history());
  const first = spec.instructions.trim() === '' ? 'What follows is the task.' : spec.instructions;
  const parts = [first, history, promptText(spec.prompt)];
  return parts.filter((part) => part !== null).join('\n\n');
}
