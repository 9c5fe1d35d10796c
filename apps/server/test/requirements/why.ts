import type { Rows } from './rows.ts';

/** What became of triggers, by whom, and what was decided about instants. */
export const WHY: Rows = {
  'why.changes':
    'Each change of the definition, switch, pause and arming of a trigger is a row with who, when, from where and what changed.',
  'why.changes.who':
    'A change is that of the person, client or agent that asked for it, from the page, REST, a client or an agent.',
  'why.changes.file':
    'A change that nobody has asked the service for is one of the file, with when that was written.',
  'why.changes.once':
    'A change has exactly one row, however often the service starts and looks at the file.',
  'why.changes.crash':
    'Who made a change is kept over a crash between the edit and its row; who came to nothing is not.',
  'why.changes.secrets': 'Rows of changes keep no secret, and of a prompt its length and a hash.',
  'why.changes.pauses':
    'A pause of everything or of one trigger, and its end, are rows with who and why.',
  'why.downtime':
    'When the service was not at work is known: to the instant after a stop, to within 10 s after a kill.',
};
