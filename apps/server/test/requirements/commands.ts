import type { Rows } from './rows.ts';

/** The command line. */
export const COMMANDS: Rows = {
  'commands.triggers': 'svc triggers lists triggers with their state and next fire.',
  'commands.runs': 'svc runs lists the newest runs of all projects, of a project, or of a trigger.',
  'commands.runs.failed': 'svc runs --failed lists runs that need attention.',
  'commands.runs.follow': 'svc runs --follow prints each run when it starts and when it ends.',
  'commands.show':
    'svc show prints the outcome of a run, its reason, and the messages of its turn.',
  'commands.chats': 'svc chats lists chats, most recently active first.',
  'commands.send':
    'svc send starts or continues a chat; with --wait it prints the answer, and fails if the turn fails.',
  'commands.cancel': 'svc cancel cancels a run, or the turn of a chat.',
  'commands.logs': 'svc logs prints the newest log lines of the running service.',
  'commands.open': 'svc open prints the address of the page.',
  'commands.json':
    'With --json a command that talks to a service prints one JSON value and nothing else.',
  'commands.json.local': 'Commands that only work with files do the same.',
  'commands.remote':
    'With --url a command talks to a remote server, authenticated by the token in a variable.',
  'commands.remote.refused':
    'A token is never sent in plain text over a network or taken from the command line, and the reason why a server cannot be reached is printed.',
  'commands.meant':
    'The error for an unknown project, trigger or chat suggests the nearest existing one.',
  'commands.whole': 'The complete output of a command reaches a pipe, whatever its size.',
  'commands.table.fits':
    'Tables are no wider than the terminal; without a terminal nothing is cut.',
  'commands.table.plain':
    'Only terminals get colors, unless NO_COLOR is set; names cannot control a terminal.',
  'commands.settings-older':
    'svc doctor reports when the running service uses older settings than the file.',
  'cli.validate.as-server':
    'svc validate and svc simulate read project and prompt files as the service does, and refuse what it refuses.',
  'settings.all-at-once':
    'All errors in the settings are reported at once, each with its line; unknown settings are warnings, except where they affect access, the database or the projects.',
  'settings.editor-schema':
    'A new home has a JSON Schema of svc.config.yaml for editors, which accepts every documented setting.',
  'commands.output.plain':
    'Commands escape every non-printable character, and no printed line is a command to a CI system.',
  'commands.complete': 'Shells complete commands, options, their values, projects and triggers.',
  'simulate.rules':
    'A simulation applies overlap policies, daily limits, concurrency, jitter and timeouts as the service does.',
  'simulate.clocks':
    'svc simulate names the effect of clock changes on each schedule, and fires as the schedule would.',
  'simulate.agrees':
    'A forecast matches the fires of the real scheduler and their results in the real service.',
  'simulate.fails':
    'svc simulate --fail-on exits with 1 if a named condition occurs, and lists its triggers.',
  'simulate.alone':
    'svc simulate needs no server, opens no home, and writes nothing; what would take too long is refused.',
  'import.crontab': 'svc import crontab creates a trigger for each command, which runs unchanged.',
  'import.workflow':
    'svc import github-workflow creates a trigger for each schedule, with the steps that are plain commands.',
  'import.crontab.zone':
    'TZ and CRON_TZ of a crontab become variables of its commands, and a note says that its schedules ignore them.',
  'import.crontab.system': 'A system crontab, whose lines name a user, is detected and vice versa.',
  'import.encoding': 'svc import refuses text that is not UTF-8, and names the line.',
  'import.workflow.gates':
    'A step or job condition that cannot be converted becomes a failing step in its place; jobs follow those they need.',
  'import.left': 'What cannot be converted is reported, and noted in comments above the triggers.',
  'import.sound':
    'Whatever the input, nothing is thrown, and every imported trigger is valid and disabled.',
  'import.keeps':
    'An import does not change existing parts of the project file, chooses free names, and writes nothing with --dry-run.',
};
