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
  'commands.whole': 'What a command says reaches a pipe as a whole, however much it is.',
  'commands.table.fits':
    'Tables are no wider than the terminal; where nobody sees them nothing is cut.',
  'commands.table.plain':
    'Colors are for terminals alone, and for nobody who sets NO_COLOR; names can do nothing to a terminal.',
  'commands.settings-older':
    'svc doctor says where the settings of the running service are older than their file.',
  'cli.validate.as-server':
    'svc validate and svc simulate read project and prompt files as the service does, and refuse what it refuses.',
  'settings.all-at-once':
    'All that is wrong with the settings is said at once, each with its line; an unknown one is a warning, but for those that keep callers out or name the database or the projects.',
  'commands.output.plain':
    'Commands escape every character that is not printable, and no line they write is a command to a CI system.',
  'commands.complete': 'Shells complete commands, options, their values, projects and triggers.',
  'simulate.rules':
    'A simulation goes by overlap policies, limits of a day, places among turns, jitter and longest times as the service does.',
  'simulate.clocks':
    'svc simulate names what a change of the clocks does to each schedule, and fires as the schedule does then.',
  'simulate.agrees':
    'What is foretold is what the real scheduler fires, and what the real service makes of it.',
  'simulate.fails':
    'svc simulate --fail-on ends with 1 where what it names came about, and says which triggers did it.',
  'simulate.alone':
    'svc simulate needs no server, opens no home, and writes nothing; what would take too long is refused.',
  'import.crontab': 'svc import crontab makes a trigger of each command that runs it as it stands.',
  'import.workflow':
    'svc import github-workflow makes a trigger of each schedule, with the steps that are plain commands.',
  'import.crontab.zone':
    'TZ and CRON_TZ of a crontab are variables of its commands, and a note says that its schedules do not go by them.',
  'import.crontab.system':
    'A crontab whose lines name a user is not taken for one whose lines do not.',
  'import.encoding': 'svc import refuses what is not UTF-8 text, and says in which line.',
  'import.workflow.gates':
    'A step, or a condition of a job, that cannot be carried over is a step that fails in its place; jobs come after those they need.',
  'import.left':
    'What of it cannot be carried over is told, and stands above the triggers as comments.',
  'import.sound':
    'Whatever is imported, nothing is thrown, and every trigger is sound and disabled.',
  'import.keeps':
    'An import changes nothing that stands in the project file, takes free names, and with --dry-run writes nothing.',
};
