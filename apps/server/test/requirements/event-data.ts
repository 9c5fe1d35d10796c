import type { Rows } from './rows.ts';

/** How the data of an event reach an agent. */
export const EVENT_DATA: Rows = {
  'events.data.told':
    'A turn that an event started is told event, project, chat and data before its prompt, the data in a block that is marked as data.',
  'events.data.opaque':
    'Nothing in the data of an event is taken for a step, a command, a mention, a role or the end of its block.',
  'events.data.bounded': 'Data over 256 KiB are cut with a mark, and stay valid JSON.',
  'events.data.chat':
    'The chat of such a turn says which event fired it, and tells at most 16 KiB of its data.',
  'events.data.secrets': 'No configured secret stands in the data of an event.',
  'events.data.sample':
    'Run now and svc fire try an event trigger with data of up to 256 KiB; any other trigger or value is refused in words.',
  'events.data.page': 'The page shows the data of an event folded, as text.',
};
