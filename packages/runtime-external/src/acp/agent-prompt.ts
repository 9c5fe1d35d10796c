import { historyText, promptText, type TurnSpec } from '@svc/agent-runtime';

/**
 * The prompt for an agent: the instructions, the earlier messages of the chat unless the agent knows them, and the prompt
 * of the turn. It never starts with that prompt, because agents run text that starts with a slash as a command.
 */
export async function agentPrompt(spec: TurnSpec, knowsHistory: boolean): Promise<string> {
  const history = knowsHistory ? null : historyText(await spec.history());
  const first = spec.instructions.trim() === '' ? 'Here is the task.' : spec.instructions;
  const parts = [first, history, promptText(spec.prompt)];
  return parts.filter((part) => part !== null).join('\n\n');
}
