import type { Rows } from './rows.ts';

/** The curator: its input, the effect of its answer, and which trigger it is. */
export const CURATOR: Rows = {
  'curator.sections.exact':
    'A section of an answer is exactly the text between its start and end lines; other text is ignored.',
  'curator.sections.faults':
    'A section that is unterminated, nested, repeated or for another file changes nothing at all, and the reason of the run names the line.',
  'curator.sections.none': 'An answer without a section, or without a change, changes nothing.',
  'curator.files.written':
    'The service writes .svc/OVERVIEW.md and .svc/CHANGELOG.md atomically, and creates missing ones.',
  'curator.files.edited': 'A file that was edited in the meantime is not overwritten.',
  'curator.files.bounds': 'A file written by a curator has at most 128 KiB.',
  'curator.files.confined':
    'The files of a curator are not reached through links below the project folder.',
  'curator.run.reason':
    'The run of a curator summarizes its changes, and its chat shows them as a diff.',
  'curator.given.messages':
    'A curator gets the messages of exactly the turns it covers, and its files with their hashes.',
  'curator.given.bounds':
    'The input of a curator is bounded, newest messages first, and a file that it does not see completely is not written.',
  'curator.first':
    'Of several enabled afterTurn triggers the first in the file is the curator, and the others get a warning.',
  'curator.page.diff':
    'The page shows the changes of a curator line by line, with signs, collapsed if long.',
};
