import type { Rows } from './rows.ts';

/** What a curator is given, what its answer does, and which trigger is one. */
export const CURATOR: Rows = {
  'curator.sections.exact':
    'A section of an answer is exactly the text between the line of its file and the line of its end; other text is left out.',
  'curator.sections.faults':
    'A section without its end, inside another, for another file or a second time changes nothing at all, and the reason of the run says so, with the line.',
  'curator.sections.none': 'An answer without a section, or without a change, changes nothing.',
  'curator.files.written':
    'The service writes .svc/OVERVIEW.md and .svc/CHANGELOG.md, atomically, and makes what is missing.',
  'curator.files.edited': 'A file that somebody has edited in between is left as it is.',
  'curator.files.bounds': 'A file that a curator writes has at most 128 KiB.',
  'curator.files.confined':
    'No link below the project folder is followed for the files of a curator.',
  'curator.run.reason':
    'The run of a curator says what it has changed, and its chat shows it as a diff.',
  'curator.given.messages':
    'A curator is given what was said in exactly the turns that it covers, and its files with their hashes.',
  'curator.given.bounds':
    'A curator is given no more than it can be told, the newest messages first, and a file that it does not see as a whole is not written.',
  'curator.first':
    'Of several enabled afterTurn triggers the first in the file is the curator, and the others are warned.',
  'curator.page.diff':
    'The page shows what a curator has changed line by line, with signs, folded when it is long.',
};
