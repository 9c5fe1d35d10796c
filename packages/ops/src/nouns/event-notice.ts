import { chatOf, eventJson } from '@svc/agent-runtime';
import type { EventData, NewMessage } from '@svc/records';

/** Most bytes of the data of an event in a chat; the turn itself is given more. */
const MOST_TOLD = 16 * 1024;

/** How a chat shows the event that fired its trigger: a sentence, then the event as JSON, at most 16 KiB of it. */
export function eventNotice(event: EventData): NewMessage {
  const chat = chatOf(event);
  const of = chat === null ? '' : ` of the chat ${chat}`;
  const text = `Fired by the event ${event.event}${of}.\n${eventJson(event, { maxBytes: MOST_TOLD })}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
