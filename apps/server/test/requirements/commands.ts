import type { Rows } from './rows.ts';

/** The command line as the tool of every day. */
export const COMMANDS: Rows = {
  'commands.triggers': 'svc triggers lists how each trigger stands and when it fires next.',
  'commands.runs': 'svc runs lists the newest runs of all projects, of one, or of a trigger.',
  'commands.runs.failed': 'svc runs --failed lists those that somebody should look at.',
  'commands.runs.follow': 'svc runs --follow tells of each run when it starts and when it ends.',
  'commands.show': 'svc show tells how a run ended and why, and what was said in its turn.',
  'commands.chats': 'svc chats lists chats, those with the newest activity first.',
  'commands.send':
    'svc send begins a chat or goes on with one; with --wait it shows the answer, and fails with the turn.',
  'commands.cancel': 'svc cancel ends a run, or the turn of a chat.',
  'commands.logs': 'svc logs shows the newest lines of the log of the running service.',
  'commands.open': 'svc open says where the page is.',
  'commands.json': 'With --json what works with a service says one JSON value, and nothing else.',
  'commands.json.local': 'So does what works with files alone.',
  'commands.remote':
    'With --url a command works with a server elsewhere, and names itself by the token in a variable.',
  'commands.remote.refused':
    'A token goes over no network in the clear, is never taken from the command line, and why a server cannot be reached is told.',
  'commands.meant':
    'An unknown project, trigger or chat is told with the nearest one that there is.',
  'commands.table.fits':
    'Tables are no wider than the terminal; where nobody sees them nothing is cut.',
  'commands.table.plain':
    'Colors are for terminals alone, and for nobody who sets NO_COLOR; names can do nothing to a terminal.',
  'commands.complete': 'Shells complete commands, options, their values, projects and triggers.',
};
