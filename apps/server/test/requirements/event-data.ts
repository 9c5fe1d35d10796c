import type { Rows } from './rows.ts';

/** How event data reaches an agent. */
export const EVENT_DATA: Rows = {
  'events.data.prompt':
    'A turn started by an event gets event, project, chat and data before its prompt, in a block marked as data.',
  'events.data.opaque':
    'Nothing in the data of an event is interpreted as a step, command, mention, role or end of its block.',
  'events.data.bounded': 'Data over 256 KiB is truncated with a mark, and stays valid JSON.',
  'events.data.chat':
    'The chat of such a turn names the event, and shows at most 16 KiB of its data.',
  'events.data.secrets': 'The data of an event contains no configured secret.',
  'events.data.sample':
    'Run now and svc fire can test an event trigger with data of up to 256 KiB; any other trigger or value is refused with a reason.',
  'events.data.page': 'The page shows the data of an event collapsed, as text.',
};
