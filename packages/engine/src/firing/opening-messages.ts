import {
  type BannerRuntime,
  bannerOf,
  chatOf,
  eventJson,
  type Runtime,
  type ToolPolicy,
} from '@svc/agent-runtime';
import {
  type Actor,
  actorText,
  type Capability,
  type EventData,
  type NewMessage,
} from '@svc/records';
import { instructionsNotice } from './instructions.ts';

/** Facts that the first messages of a turn show. */
interface Opening {
  readonly capability: Capability;
  /** The event that started it. Default: null. */
  readonly event?: EventData | null;
  /** Its runtime; undefined if it no longer exists. */
  readonly runtime: Runtime | undefined;
  /** null if none is named. */
  readonly model: string | null;
  /** A further message about the chat. */
  readonly notice?: NewMessage;
  /** null if the chat already has them, or gets them when the turn starts. */
  readonly instructions: string | null;
  readonly prompt: string;
  readonly by: Actor | null;
}

/** The first messages of a turn: its capability, the instructions, and the prompt. */
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

function bannerRuntime(
  { holds, runsSteps, sandbox = null }: Runtime,
  model: string | null,
): BannerRuntime {
  return {
    holds,
    runsSteps: runsSteps?.(model) ?? false,
    sandbox,
  };
}

// The turn itself gets more.
const MOST_EVENT_BYTES = 16 * 1024;

function eventNotice(event: EventData): NewMessage {
  const chat = chatOf(event);
  const of = chat === null ? '' : ` of the chat ${chat}`;
  const json = eventJson(event, { maxBytes: MOST_EVENT_BYTES });
  const text = `Fired by the event ${event.event}${of}.\n${json}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
