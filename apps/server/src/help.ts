import { COMMON, EVERYDAY_HELP, JSON_LINE, REMOTE } from './everyday-help.ts';
import { IMPORT_HELP } from './import-help.ts';
import { SIMULATE_HELP } from './simulate-help.ts';

/** The help of the command as a whole. */
export const HELP: string = `svc: triggers that start agent turns on a schedule.

Usage: svc COMMAND [options]

To begin
  init [DIR]                     make a home folder with a small project to learn from
  serve                          run the service
  open                           open its page in a browser
  doctor                         say which runtimes can be used, and what each holds

To look
  status                         say what the running service does, and on which servers
  triggers [PROJECT]             list triggers: how they stand, when they fire next
  runs [PROJECT [TRIGGER]]       list what has run: --failed, --follow
  show RUN                       show one run: how it ended, why, and what was said
  why PROJECT TRIGGER [--at T]   say what was decided about a time, and by whom
  chats [PROJECT]                list chats
  logs [--follow]                show the log of the running service

To act
  fire PROJECT TRIGGER [--wait]  fire a trigger now
  send PROJECT CHAT TEXT         send a message to a chat, or begin one with --new
  cancel RUN                     end a run, or the turn of a chat
  pause [--reason TEXT]          let nothing start by itself
  resume [PROJECT TRIGGER]       let everything go on, or one trigger

To set up
  validate [PROJECT | FILE]      check project files; exit code 1 when there are errors
  import crontab FILE            make triggers of a crontab, or of a GitHub workflow
  simulate [PROJECT | FILE]      say what the coming days would bring: fires, overlaps, cost
  preview 'CRON' | INTERVAL      show what a schedule means and when it fires
  alerts test [SINK]             send a test alert
  token new CLIENT               make a token for a client of the management endpoint
  token check                    show how the clients of the management endpoint stand
  backup FILE                    back up the home, also while it is running
  restore FILE --home NEW        make a home of a backup
  migrate-store                  move what is kept to a database on a server
  completion SHELL               have bash, zsh or fish complete commands and names

${COMMON}
  --json          for programs: one JSON value in place of lines
  --help          this help, or that of a command: svc help runs
  --version       the version

Exit codes: 0 fine, 1 failed, 2 wrong usage.`;

/** The help of each command. */
export const VERB_HELP: Readonly<Record<string, string>> = {
  ...EVERYDAY_HELP,
  simulate: SIMULATE_HELP,
  import: IMPORT_HELP,
  serve: `Usage: svc serve [options]

Runs the service: watches the projects of the home, arms their triggers, fires them, and answers on HTTP.
The log goes to the standard output. Stop it with Ctrl-C or SIGTERM: running turns get time to end; a second signal, more
than a second later, ends them. SIGHUP, to the pid in data/instance.json, makes it read managementApi, envFile and the files
of server.tls again.

  --host HOST     address to listen on (SVC_HOST, HOST; default 127.0.0.1)
  --port PORT     port to listen on, 0 for any free one (SVC_PORT, PORT; default 7420)
  --init          first make the home, with a sample project, where there is none
  --log-level L   debug, info, warn or error (SVC_LOG_LEVEL; default info)
  --log-format F  auto, pretty or json (SVC_LOG_FORMAT; default auto: pretty on a terminal)
${COMMON}`,
  init: `Usage: svc init [DIR] [--runtime claude | openai | external]

Makes a home folder with a configuration file and the project "hello". A home that has projects is left alone, but for the
settings of a runtime, which are added to its configuration file. No key is ever written: what to export is said.

  svc init home --runtime claude
  svc init home --runtime openai --base-url http://127.0.0.1:11434/v1 --model qwen3
  svc init home --runtime external --command codex-acp --protocol acp

  --runtime R     claude: the Claude Agent SDK; openai: any endpoint that speaks as OpenAI's does, Ollama for one;
                  external: a command
  --model M       the model to ask
  --base-url URL  address of the endpoint (openai: default http://127.0.0.1:11434/v1)
  --command CMD   the program of external (default codex-acp)
  --protocol P    acp or text (default acp)

With --json: { "home", "config", "projects", "isNew", "runtime" }; runtime is null where none was asked for.

${JSON_LINE}
${COMMON}`,
  doctor: `Usage: svc doctor

Says for each runtime whether it can be used now, what it holds, whether its fence was seen to hold, and what to do next.
It tries the fences with a model of its own, so that nothing costs anything, and changes no setting. Says, too, whether the
running server is paused, by whom and why, who is told what happens, and whether a collector takes the traces.
Exit code 1 unless the runtime that is used by default is ready, the database is sound, or answers, and the projects are there.

With --json: { "fine", "runtimes": [{ id, isDefault, usable, details: [{ about, text }] }], "database": { lines, isSound },
"projects": { lines, areThere }, "remarks": [...] }; fine is what the exit code says.

${JSON_LINE}
${COMMON}`,
  status: `Usage: svc status

Says what the running service does: whether everything is paused, which turns run, and, where several servers share its
database, each of them with its host, version, start, last sign of life and how many turns it runs.
Exit code 1 where no server runs for this home.

With --json: as GET /api/status has it.

${REMOTE}
${COMMON}`,
  validate: `Usage: svc validate [PROJECT | FILE]

Checks one project, one file, or every project of the home, and prints each finding as
file:line:column code entry: what is wrong and what would be right.
Codes: file_fault, yaml_fault, invalid_trigger, invalid_schedule, invalid_setting, unusable_prompt, warning.
Exit code 1 unless there are at most warnings, and where there is nothing to check.

With --json: { "files", "errors", "warnings", "findings": [{ file, line, column, code, entry, path, message }] }.

${JSON_LINE}
${COMMON}`,
  preview: `Usage: svc preview 'CRON' | INTERVAL [--timezone ZONE] [--count N]

Shows in words what a schedule means, and its next fires. An interval is counted from now.

  svc preview '0 9 * * 1-5' --timezone Europe/Berlin
  svc preview 90m

With --json: as GET /api/preview has it.

  --timezone ZONE  IANA name, for cron only (default: the zone of this machine)
  --count N        how many fires to show, 1 to 100 (default 5)
  --json           for programs: one JSON value in place of lines`,
  fire: `Usage: svc fire PROJECT TRIGGER [--wait [--timeout D]] [--event FILE]

Fires a trigger now, also a disabled one: through the running server, or, where none runs, by itself.

With --json: { "runId", "sessionId" }, "notice" where the trigger does not start by itself now; with --wait also "run".

  --wait          wait for the end, and show the end of the transcript, how the run ended, and why;
                  exit code 1 unless it succeeded
  --timeout D     wait no longer than this, as 90s or 10m: exit code 1, and the run goes on where a server runs
  --event FILE    try a trigger of the type event with these data: a JSON object, at most 256 KiB, as
                  { "chat": { "name": "Fix the door", "messages": 4 } }
${REMOTE}
${COMMON}`,
  pause: `Usage: svc pause [--reason TEXT] [--stop-running]

Lets nothing start by itself, over restarts, until svc resume: through the running server, or, where none runs, for the next
one. Slots and events are recorded as skipped, and so is what waits to start. Running turns go on, as do chats, and svc fire
works. A second pause takes the place of the first, with its reason.

With --json: as POST /api/pause has it.

  --reason TEXT   why, in one line of at most 500 characters; everybody sees it
  --stop-running  cancel the turns of triggers, and those that they have started
${REMOTE}
${COMMON}`,
  resume: `Usage: svc resume [PROJECT TRIGGER]

Lets everything go on after svc pause, or one trigger that was paused after failures (policy.pauseAfterFailures), whose
failures are counted from zero then. What was skipped is not made up for. An interval that is silent because its clock was set
back over slots that ran goes on one period from now; those slots do not run again.

With --json: { "paused": null, "wasPaused" }; of one trigger as POST …/resume has it.

${REMOTE}
${COMMON}`,
  alerts: `Usage: svc alerts test [SINK]

Sends an alert of the type test to one sink of notify.sinks, or to all, through the running server, and says how that went.
Exit code 1 unless each of them took it.

With --json: as POST /api/alerts/test has it.

${REMOTE}
${COMMON}`,
  why: `Usage: svc why PROJECT TRIGGER [--at TIME] [--source S]

Says in sentences what was decided about an instant of a trigger and by whom, from what is recorded: that it fired and how
that went, that it was missed, skipped or paused, that the trigger was off, invalid or not there, or that it was no slot.

  svc why hello heartbeat --at 03:00
  svc why hello heartbeat --at 'yesterday 03:00'
  svc why hello heartbeat --at 2026-03-01T03:00

With --json: as GET …/why has it.

  --at TIME       ISO 8601, or HH:MM[:SS] (the last one), alone or after today, yesterday or YYYY-MM-DD; without a zone the
                  local time of the host. In whole minutes or seconds it means that minute or second. Default: the newest slot
  --source S      trigger or schedule, where an entry of the older schedules has the same name (default: trigger first)
${REMOTE}
${COMMON}`,
  backup: `Usage: svc backup FILE [--force]

Writes one file (tar, gzip) with the database as it is at one moment, svc.config.yaml, and of each project project.yaml, .svc/
and its last good version. Works while svc runs, without holding it up, and while it does not. Every file in it has its SHA-256.
Not in it: other files of projects, secrets, sign-ins, sessions of the runtime claude. A database on a PostgreSQL server is
backed up there, with pg_dump.

  svc backup ~/svc-$(date +%F).tar.gz

  --force         take the place of a file that is there
With --json: { file, bytes, createdAt, database, schema, files, projects, variables, passedOver }; database is "file",
"postgres" or "none".
${JSON_LINE}
${COMMON}`,
  restore: `Usage: svc restore FILE --home NEW [--resume]

Makes a home of what svc backup has written, once all of it was found to be as it was written: in a folder that is empty or not
there, or in a home that has projects but no folder "data". Files that are there already must be the same. A restore that is
cut short is done again; until then svc does not use the home.
Nothing starts by itself in it until svc resume, because it does not know what has run since the backup. What is skipped while
paused is not made up for. Slots and triggers go by the id of the home, as do tokens: run only one of the two homes.

  svc restore ~/svc-2026-03-01.tar.gz --home /srv/svc

  --resume        have triggers go on at once: with catchUp the last slot since the backup runs, even if it ran before
With --json: { home, createdAt, database, variables, projects, projectsFolder, projectsNamed, paused }.
${JSON_LINE}
${COMMON}`,
  'migrate-store': `Usage: svc migrate-store --from embedded --to postgres

Copies all that the database in the home keeps (chats, runs, slots and the rest) to the empty PostgreSQL database that
database.url names: as a whole or not at all, so that it can be started again after a failure. The file stays as it is; once all
was copied, another time changes nothing. Stop svc before.

  export SVC_DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/NAME
  svc migrate-store --from embedded --to postgres
  svc serve

With --json: { "isNew", "rows", "from", "to" }; rows by table.

${JSON_LINE}
${COMMON}`,
  token: `Usage: svc token new CLIENT
       svc token check

new prints three lines: a token, the line that sets its variable (for the environment of svc serve or for envFile), and the
line that configures the client (for managementApi.clients in svc.config.yaml). Nothing is stored.

check shows for each client whether its token is there and bound to this instance, and what it may do where. It reads what
svc serve would read, and shows no token. Exit code 1 unless every client is usable and the endpoint would be on.

  svc token new ci
  svc token check

With --json: new { "clientId", "token", "variable", "client" }; check { "enabled", "clients": [{ clientId, usable,
standing, details }], "remarks" }.

${JSON_LINE}
${COMMON}`,
};
