import type { Rows } from './rows.ts';

/** What a page can read over HTTP to show what is going on, beside the triggers themselves. */
export const READS: Rows = {
  'reads.run.turn': 'A run names its turn, as the messages of that turn do.',
  'reads.chat.after':
    'A chat is read on from the number of a message, oldest first, but not together with cursor.',
};
