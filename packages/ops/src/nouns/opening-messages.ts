import { type BannerRuntime, bannerOf, type Runtime, type ToolPolicy } from '@svc/agent-runtime';
import {
  type Actor,
  actorText,
  type Capability,
  type EventData,
  type NewMessage,
} from '@svc/records';
import { eventNotice } from './event-notice.ts';
import { instructionsNotice } from './instructions.ts';

/** What the first messages of a turn tell. */
interface Opening {
  readonly capability: Capability;
  /** What happened, where that is why it is started. Default: null. */
  readonly event?: EventData | null;
  /** What it runs on; undefined where that is gone. */
  readonly runtime: Runtime | undefined;
  /** null where none is named. */
  readonly model: string | null;
  /** What else there is to know of the chat. */
  readonly notice?: NewMessage;
  /** null where the chat has told them, or will when the turn starts. */
  readonly instructions: string | null;
  readonly prompt: string;
  readonly by: Actor | null;
}

/** The first messages of a turn: what it may do, what it is told, and what it was asked. */
export function openingMessages(
  policy: ToolPolicy,
  { capability, runtime, model, event = null, notice, instructions, prompt, by }: Opening,
): NewMessage[] {
  const sender = by === null ? {} : { by: actorText(by) };
  const text = bannerOf(policy, capability, runtime && bannerRuntime(runtime, model));
  return [
    { role: 'system', kind: 'notice', text, tool: null },
    ...(event === null ? [] : [eventNotice(event)]),
    ...(notice === undefined ? [] : [notice]),
    ...(instructions === null ? [] : [instructionsNotice(instructions)]),
    { role: 'user', kind: 'text', text: prompt, tool: null, ...sender },
  ];
}

function bannerRuntime({ holds, runsSteps }: Runtime, model: string | null): BannerRuntime {
  return { holds, runsSteps: runsSteps?.(model) ?? false };
}
