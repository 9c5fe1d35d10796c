import { chatOf, eventJson } from '@svc/agent-runtime';
import type { EventData, NewMessage } from '@svc/records';

/** Maximum bytes of event data in a chat; the turn itself gets more. */
const MOST_TOLD = 16 * 1024;

/** The message that shows the event of a run: a sentence, then the event as JSON, at most 16 KiB. */
export function eventNotice(event: EventData): NewMessage {
  const chat = chatOf(event);
  const of = chat === null ? '' : ` of the chat ${chat}`;
  const text = `Fired by the event ${event.event}${of}.\n${eventJson(event, { maxBytes: MOST_TOLD })}`;
  return { role: 'system', kind: 'notice', text, tool: null };
}
