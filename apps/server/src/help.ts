import { COMMON, EVERYDAY_HELP, JSON_LINE, REMOTE } from './everyday-help.ts';
import { IMPORT_HELP } from './import-help.ts';
import { SIMULATE_HELP } from './simulate-help.ts';

/** The general help. */
export const HELP: string = `svc starts agent turns on schedules and events.

Usage: svc COMMAND [options]

Get started
  init [DIR]                     create a home folder with a sample project
  serve                          run the service
  open                           open the web UI in a browser
  doctor                         check runtimes, database, projects and alerts

Inspect
  status                         show running turns and servers
  triggers [PROJECT]             list triggers with their state and next run
  runs [PROJECT [TRIGGER]]       list runs: --failed, --follow
  show RUN                       show one run: outcome, reason and transcript
  why PROJECT TRIGGER [--at T]   show why a trigger did or did not fire
  chats [PROJECT]                list chats
  logs [--follow]                show the log of the running service

Act
  fire PROJECT TRIGGER [--wait]  fire a trigger now
  send PROJECT CHAT TEXT         send a message to a chat; --new starts a chat
  cancel RUN                     cancel a run, or the turn of a chat
  pause [--reason TEXT]          pause all triggers
  resume [PROJECT TRIGGER]       resume all triggers, or a single one

Set up
  validate [PROJECT | FILE]      check project files; exit code 1 on errors
  import crontab FILE            import triggers from a crontab or a GitHub workflow
  simulate [PROJECT | FILE]      forecast upcoming runs, overlaps and cost
  preview 'CRON' | INTERVAL      show what a schedule means and when it runs
  alerts test [SINK]             send a test alert
  token new CLIENT               create a token for a client of /mcp
  token check                    check the clients of /mcp
  backup FILE                    back up the home (safe while svc is running)
  restore FILE --home NEW        restore a backup
  migrate-store                  migrate the embedded database to PostgreSQL
  completion SHELL               print a completion script for bash, zsh or fish

${COMMON}
  --json          print one JSON value instead of text
  --help          show this help, or the help of a command: svc help runs
  --version       print the version

Exit codes: 0 success, 1 failure, 2 usage error.`;

/** The help of each command. */
export const VERB_HELP: Readonly<Record<string, string>> = {
  ...EVERYDAY_HELP,
  simulate: SIMULATE_HELP,
  import: IMPORT_HELP,
  serve: `Usage: svc serve [options]

Run the service: watch all projects in the home, arm and fire their triggers, and serve the web UI, the REST API and /mcp.
The log goes to standard output. Ctrl-C or SIGTERM stops the service after running turns end or server.drainTimeout passes; a
second signal, more than a second later, stops it at once. SIGHUP, sent to the pid in data/instance.json, reloads managementApi,
envFile and the files of server.tls.

  --host HOST     address to listen on (SVC_HOST, HOST; default 127.0.0.1)
  --port PORT     port to listen on, 0 for any free port (SVC_PORT, PORT; default 7420)
  --init          create the home with a sample project if it does not exist
  --log-level L   debug, info, warn or error (SVC_LOG_LEVEL; default info)
  --log-format F  auto, pretty or json (SVC_LOG_FORMAT; default auto: pretty on a terminal)
${COMMON}`,
  init: `Usage: svc init [DIR] [--runtime claude | openai | external]

Create a home folder with a configuration file and the project "hello". In a home that already has projects, --runtime adds the
settings of a runtime to the configuration file and changes nothing else. Keys are never written: init prints what to export.

  svc init home --runtime claude
  svc init home --runtime openai --base-url http://127.0.0.1:11434/v1 --model qwen3
  svc init home --runtime external --command codex-acp --protocol acp

  --runtime R     claude: the Claude Agent SDK; openai: any OpenAI-compatible endpoint, for example Ollama;
                  external: a command
  --model M       model to use
  --base-url URL  address of the endpoint (openai: default http://127.0.0.1:11434/v1)
  --command CMD   program of the external runtime (default codex-acp)
  --protocol P    acp or text (default acp)

With --json: { "home", "config", "projects", "isNew", "runtime" }; runtime is null without --runtime.

${JSON_LINE}
${COMMON}`,
  doctor: `Usage: svc doctor

Check each runtime: whether it is ready, which limits it enforces, whether its sandbox passed the self-test, and what to do next.
The self-test uses a built-in model, costs nothing and changes no setting. Also check the database, the projects, alert sinks and
the trace collector, and show whether the running service is paused, by whom and why.
Exit code 1 unless the default runtime is ready, the database is intact or reachable, and the projects folder exists.

With --json: { "ok", "runtimes": [{ id, isDefault, usable, details: [{ about, text }] }], "database": { lines, ok },
"projects": { lines, ok }, "remarks": [...] }; ok matches exit code 0.

${JSON_LINE}
${COMMON}`,
  status: `Usage: svc status

Show whether all triggers are paused and which turns are running. If several servers share the database, also list each server
with its host, version, start time, last heartbeat and number of running turns.
Exit code 1 if no server is running for this home.

With --json: the response of GET /api/status.

${REMOTE}
${COMMON}`,
  validate: `Usage: svc validate [PROJECT | FILE]

Check one project, one file, or every project in the home. Each finding is printed as
file:line:column code entry: what is wrong and how to fix it.
Codes: file_fault, yaml_fault, invalid_trigger, invalid_schedule, invalid_setting, unusable_prompt, warning.
Exit code 1 if there are errors, or nothing to check. Warnings alone exit with 0.

With --json: { "files", "errors", "warnings", "findings": [{ file, line, column, code, entry, path, message }] }.

${JSON_LINE}
${COMMON}`,
  preview: `Usage: svc preview 'CRON' | INTERVAL [--timezone ZONE] [--count N]

Show what a schedule means and its next runs. Intervals start now.

  svc preview '0 9 * * 1-5' --timezone Europe/Berlin
  svc preview 90m

With --json: the response of GET /api/preview.

  --timezone ZONE  IANA name, for cron only (default: this machine's time zone)
  --count N        number of runs to show, 1 to 100 (default 5)
  --json           print one JSON value instead of text`,
  fire: `Usage: svc fire PROJECT TRIGGER [--wait [--timeout D]] [--event FILE]

Fire a trigger now, even if it is disabled. Without a running server the command runs the turn itself.

With --json: { "runId", "sessionId" }, plus "notice" if the trigger is paused, and "run" with --wait.

  --wait          wait for the run to end, then show the end of its transcript, its outcome and reason;
                  exit code 1 unless the run succeeded
  --timeout D     stop waiting after this time, for example 90s or 10m, with exit code 1; a server keeps running the turn
  --event FILE    test an event trigger with this data: a JSON object of at most 256 KiB, for example
                  { "chat": { "name": "Fix the door", "messages": 4 } }
${REMOTE}
${COMMON}`,
  pause: `Usage: svc pause [--reason TEXT] [--stop-running]

Pause all triggers until svc resume. The pause survives restarts, and applies even if no server is running. Slots, events and
queued runs are recorded as skipped. Running turns, chats and svc fire continue to work. Pausing again replaces the earlier pause
and its reason.

With --json: the response of POST /api/pause.

  --reason TEXT   reason, one line of at most 500 characters, visible to all users
  --stop-running  also cancel running turns started by triggers, and the turns they started
${REMOTE}
${COMMON}`,
  resume: `Usage: svc resume [PROJECT TRIGGER]

Resume all triggers after svc pause, or one trigger that was paused after failures (policy.pauseAfterFailures); its failure count
restarts at zero. Skipped slots will not run later. An interval trigger that waits because the clock was set back continues one
period from now; slots that already ran do not run again.

With --json: { "paused": null, "wasPaused" }; for one trigger the response of POST …/resume.

${REMOTE}
${COMMON}`,
  alerts: `Usage: svc alerts test [SINK]

Send an alert of type test to one sink of notify.sinks, or to all of them, through the running server, and report the result.
Exit code 1 unless every sink accepted it.

With --json: the response of POST /api/alerts/test.

${REMOTE}
${COMMON}`,
  why: `Usage: svc why PROJECT TRIGGER [--at TIME] [--source S]

Show why a trigger did or did not fire at a given time, based on recorded runs and changes: it fired, was missed, skipped or
paused, was disabled, invalid or not declared, or had no slot.

  svc why hello heartbeat --at 03:00
  svc why hello heartbeat --at 'yesterday 03:00'
  svc why hello heartbeat --at 2026-03-01T03:00

With --json: the response of GET …/why.

  --at TIME       ISO 8601, or HH:MM[:SS] (most recent), alone or after today, yesterday or YYYY-MM-DD; without a zone, the local
                  time of this machine. A time without seconds matches any slot in that minute. Default: the latest slot
  --source S      trigger or schedule, if a legacy schedule has the same name (default: trigger first)
${REMOTE}
${COMMON}`,
  backup: `Usage: svc backup FILE [--force]

Write one file (tar, gzip) with a consistent copy of the database, svc.config.yaml, and for each project project.yaml, .svc/ and
the last valid version of project.yaml. Works whether or not svc is running, and does not block it. Every file in the backup has a SHA-256.
Not included: other project files, secrets, login sessions, and sessions of the claude runtime. Back up a PostgreSQL database with
pg_dump.

  svc backup ~/svc-$(date +%F).tar.gz

  --force         overwrite an existing file
With --json: { file, bytes, createdAt, database, schema, files, projects, variables, leftOut }; database is "file",
"postgres" or "none"; leftOut lists files that are not included as { path, reason }.
${JSON_LINE}
${COMMON}`,
  restore: `Usage: svc restore FILE --home NEW [--resume]

Restore a backup after verifying it, into an empty or new folder, or into a home that has projects but no "data" folder.
Existing files must match the backup. If a restore is interrupted, run it again; until it completes, svc does not use the home.
The restored home starts paused, because it has no record of runs since the backup. Run svc resume to start triggers; skipped
slots will not run later. The restored home has the same id as the original: both would claim the same slots and accept the
same tokens. Never run both.

  svc restore ~/svc-2026-03-01.tar.gz --home /srv/svc

  --resume        start unpaused; with catchUp: latest, the latest slot since the backup runs, possibly a second time
With --json: { home, createdAt, database, variables, projects, projectsFolder, projectsNamed, paused }.
${JSON_LINE}
${COMMON}`,
  'migrate-store': `Usage: svc migrate-store --from embedded --to postgres

Migrate the embedded database (chats, runs, slots and all other records) to the empty PostgreSQL database in database.url. The
migration is atomic: after a failure, run it again. The embedded file is kept; a second migration changes nothing. Stop svc
first.

  export SVC_DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/NAME
  svc migrate-store --from embedded --to postgres
  svc serve

With --json: { "isNew", "rows", "from", "to" }; rows are counted by table.

${JSON_LINE}
${COMMON}`,
  token: `Usage: svc token new CLIENT
       svc token check

new: create a token. Prints three lines: the token, the line that sets its variable (for the environment of svc serve or for
envFile), and the line that configures the client (for managementApi.clients in svc.config.yaml). Nothing is stored.

check: show for each client whether its token is set and bound to this instance, and which operations and projects it may use.
Reads the same configuration as svc serve and prints no token. Exit code 1 unless every client is usable and /mcp is enabled.

  svc token new ci
  svc token check

With --json: new { "clientId", "token", "variable", "client" }; check { "enabled", "clients": [{ clientId, usable,
standing, details }], "remarks" }.

${JSON_LINE}
${COMMON}`,
};
