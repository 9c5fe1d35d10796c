import type { Rows } from './rows.ts';

/** What became of triggers, by whom, and what was decided about instants. */
export const WHY: Rows = {
  'why.changes':
    'Each change of the definition, switch, pause and arming of a trigger is a row with who, when, from where and what changed.',
  'why.changes.who':
    'A change is that of the person, client or agent that asked for it, from the page, the command line, REST, a client or an agent.',
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
    'When the service was not at work is known: to the instant after a stop, to within 30 s after a kill.',
  'why.changes.paged': 'The changes of a trigger are told newest first, by pages.',
  'why.cli':
    'svc why PROJECT TRIGGER --at TIME says it in sentences, of a time as people write it.',
  'why.page': 'The page of a trigger answers why, and lists what became of it and by whom.',
  'why.retention':
    'Old changes go with old runs, never what holds, and why says of what was before that it is not kept.',
  'why.fired': 'Why says of a slot that fired how late it was and how the run went.',
  'why.off':
    'Why says of an instant at which a trigger was off since when, until when and by whom.',
  'why.missed':
    'Why says of a missed slot from when to when the service was down, and why it was not made up for.',
  'why.invalid': 'Why says of an instant at which an entry was invalid since which edit.',
  'why.skipped': 'Why says of a skipped slot why, and of a pause by whom and from when to when.',
  'why.asked-for': 'Why says of an instant at which somebody asked for a run who that was.',
  'why.one-answer': 'Every instant has one answer, and it agrees with the rows.',
};
