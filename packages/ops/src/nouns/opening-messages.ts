import { bannerOf, type ToolPolicy } from '@svc/agent-runtime';
import { type Actor, actorText, type Capability, type NewMessage } from '@svc/records';

/** The first messages of a turn: what it may do, and what it was asked. */
export function openingMessages(
  policy: ToolPolicy,
  capability: Capability,
  prompt: string,
  by: Actor | null,
): NewMessage[] {
  const sender = by === null ? {} : { by: actorText(by) };
  return [
    { role: 'system', kind: 'notice', text: bannerOf(policy, capability), tool: null },
    { role: 'user', kind: 'text', text: prompt, tool: null, ...sender },
  ];
}
