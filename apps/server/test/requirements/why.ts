import type { Rows } from './rows.ts';

/** Change history of triggers, and explanations of decisions. */
export const WHY: Rows = {
  'why.changes':
    'Each change of the definition, enabling, pause and arming of a trigger is a row with author, time, origin and content.',
  'why.changes.who':
    'A change names the person, client or agent that made it, from the page, the command line, REST, a client or an agent.',
  'why.changes.file':
    'A change that was not requested through the service is one of the file, with its time of writing.',
  'why.changes.once':
    'A change has exactly one row, however often the service starts and reads the file.',
  'why.changes.crash':
    'The author of a change survives a crash between the edit and its row; an author without an edit does not.',
  'why.changes.secrets':
    'Rows of changes contain no secret, and of a prompt only its length and a hash.',
  'why.changes.pauses':
    'A pause of all triggers or of one, and its end, are rows with author and reason.',
  'why.downtime': 'Downtime is known: exactly after a stop, within 30 s after a kill.',
  'why.changes.paged': 'The changes of a trigger are listed newest first, in pages.',
  'why.cli':
    'svc why PROJECT TRIGGER --at TIME answers in sentences, for times as people write them.',
  'why.page': 'The page of a trigger answers why, and lists its changes with their authors.',
  'why.retention':
    'Old changes are pruned like old runs, effective ones never, and why reports that earlier ones are not kept.',
  'why.fired': 'For a slot that fired, why gives its delay and how the run ended.',
  'cli.plain':
    'No command prints terminal control sequences, whatever names, prompts and reasons contain.',
  'why.newest':
    'Without a time, why answers for the newest slot since the trigger was armed, else for its newest run, else for now.',
  'why.off':
    'For a time at which a trigger was disabled, why gives the start, the end and the author.',
  'why.missed': 'For a missed slot, why gives the downtime, and why it was not caught up.',
  'why.invalid': 'For a time at which an entry was invalid, why names the edit.',
  'why.skipped':
    'For a skipped slot, why gives the reason, and for a pause its author, start and end.',
  'why.asked-for': 'For a time at which a run was requested, why names the requester.',
  'why.one-answer': 'Every time has one answer, and it agrees with the rows.',
};
