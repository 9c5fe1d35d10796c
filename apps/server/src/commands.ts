import { type Command, type ExitCode, FILE_COMMANDS, COMMANDS as SERVICE_COMMANDS } from '@svc/cli';
import type { VerbContext } from './verb-context.ts';

type Internals = typeof import('./internals.ts');
type Verb = {
  [N in keyof Internals]: Internals[N] extends (context: VerbContext) => Promise<ExitCode>
    ? N
    : never;
}[keyof Internals];

// Loads the internals of a home on demand.
const verb = (name: Verb) => async (context: VerbContext) =>
  (await import('./internals.ts'))[name](context);

// Time for a command to remove incomplete files.
const CLEANS_UP_WITHIN_MS = 20_000;

const serve: Command<VerbContext> = {
  name: 'serve',
  group: 'Get started',
  summary: 'run the service',
  stopsWithinMs: Number.POSITIVE_INFINITY,
  overview: '',
  options: {
    '--host HOST': 'address to listen on (SVC_HOST, HOST; default 127.0.0.1)',
    '--port PORT': 'port to listen on, 0 for any free port (SVC_PORT, PORT; default 7420)',
    '--init': 'create the home with a sample project if it does not exist',
    '--log-level L': 'debug, info, warn or error (SVC_LOG_LEVEL; default info)',
    '--log-format F': 'auto, pretty or json (SVC_LOG_FORMAT; default auto: pretty on a terminal)',
  },
  values: {
    'log-level': ['debug', 'info', 'warn', 'error'],
    'log-format': ['auto', 'pretty', 'json'],
  },
  description: `
Run the service: watch all projects in the home, arm and fire their triggers, and serve the web UI, the REST API and /mcp.
The log goes to standard output. Ctrl-C or SIGTERM stops the service after running turns end or server.drainTimeout passes; a
second signal, more than a second later, stops it at once. SIGHUP, sent to the pid in data/instance.json, reloads managementApi,
its tokens in envFile, and the files of server.tls; other changes need a restart.`,
  run: verb('serveVerb'),
};

const init: Command<VerbContext> = {
  name: 'init',
  group: 'Get started',
  summary: 'create a home folder with a sample project',
  arguments: { '[DIR]': 'folder' },
  takes: 'one folder.',
  options: {
    '--runtime R':
      'claude: the Claude Agent SDK; openai: any OpenAI-compatible endpoint, for example Ollama; external: a command',
    '--model M': 'model to use',
    '--base-url URL': 'address of the endpoint (openai: default http://127.0.0.1:11434/v1)',
    '--command CMD': 'program of the external runtime (default codex-acp)',
    '--protocol P': 'acp or text (default acp)',
  },
  values: { runtime: ['claude', 'openai', 'external'], protocol: ['acp', 'text'] },
  description: `
Create a home folder with a configuration file and the project "hello". In a home that already has projects, --runtime adds the
settings of a runtime to the configuration file and changes nothing else. Keys are never written: init prints what to export.

  svc init home --runtime claude
  svc init home --runtime openai --base-url http://127.0.0.1:11434/v1 --model qwen3
  svc init home --runtime external --command codex-acp --protocol acp`,
  json: '{ "home", "config", "projects", "isNew", "runtime" }; runtime is null without --runtime.',
  run: verb('initVerb'),
};

const doctor: Command<VerbContext> = {
  name: 'doctor',
  group: 'Get started',
  summary: 'check runtimes, database, projects and alerts',
  takes: 'no arguments.',
  description: `
Check each runtime: whether it is ready, which limits it enforces, whether its sandbox passed the self-test, and what to do next.
The self-test uses a built-in model, costs nothing and changes no setting. Also check the database, the projects, alert sinks and
the trace collector, and show whether the running service is paused, by whom and why.
Exit code 1 unless the default runtime is ready, the database is intact or reachable, and the projects folder exists.`,
  json: `{ "ok", "runtimes": [{ id, isDefault, usable, details: [{ about, text }] }], "database": { lines, ok },
"projects": { lines, ok }, "remarks": [...] }; ok matches exit code 0.`,
  run: verb('doctorVerb'),
};

const backup: Command<VerbContext> = {
  name: 'backup',
  group: 'Set up',
  summary: 'back up the home (safe while svc is running)',
  stopsWithinMs: CLEANS_UP_WITHIN_MS,
  arguments: { FILE: 'file' },
  takes: 'one file to write: svc backup FILE.',
  options: {
    '--force': 'overwrite an existing file',
  },
  description: `
Write one file (tar, gzip) with a consistent copy of the database, svc.config.yaml, and for each project project.yaml, .svc/ and
the last valid version of project.yaml. Works whether or not svc is running, and does not block it. Every file in the backup has a SHA-256.
Not included: other project files, secrets, login sessions, and sessions of the claude runtime. Back up a PostgreSQL database with
pg_dump.

  svc backup ~/svc-$(date +%F).tar.gz`,
  json: `{ file, bytes, createdAt, database, schema, files, projects, variables, leftOut }; database is "file",
"postgres" or "none"; leftOut lists files that are not included as { path, reason }.`,
  run: verb('backupVerb'),
};

const restore: Command<VerbContext> = {
  name: 'restore',
  group: 'Set up',
  summary: 'restore a backup',
  stopsWithinMs: CLEANS_UP_WITHIN_MS,
  usage: ['FILE --home NEW'],
  arguments: { FILE: 'file' },
  takes: 'one file: svc restore FILE --home NEW.',
  options: {
    '--resume':
      'start unpaused; with catchUp: latest, the latest slot since the backup runs, possibly a second time',
  },
  description: `
Restore a backup after verifying it, into an empty or new folder, or into a home that has projects but no "data" folder.
Existing files must match the backup. If a restore is interrupted, run it again; until it completes, svc does not use the home.
The restored home starts paused, because it has no record of runs since the backup. Run svc resume to start triggers; skipped
slots will not run later. The restored home has the same id as the original: both would claim the same slots and accept the
same tokens. Never run both.

  svc restore ~/svc-2026-03-01.tar.gz --home /srv/svc`,
  json: '{ home, createdAt, database, variables, projects, projectsFolder, projectsNamed, paused }.',
  run: verb('restoreVerb'),
};

const migrateStore: Command<VerbContext> = {
  name: 'migrate-store',
  group: 'Set up',
  summary: 'migrate the embedded database to PostgreSQL',
  stopsWithinMs: CLEANS_UP_WITHIN_MS,
  usage: ['--from embedded --to postgres'],
  overview: '',
  options: {
    '--from KIND': 'embedded',
    '--to KIND': 'postgres',
  },
  values: { from: ['embedded'], to: ['postgres'] },
  description: `
Migrate the embedded database (chats, runs, slots and all other records) to the empty PostgreSQL database in database.url. The
migration is atomic: after a failure, run it again. The embedded file is kept; a second migration changes nothing. Stop svc
first.

  export SVC_DATABASE_URL=postgres://USER:PASSWORD@HOST:5432/NAME
  svc migrate-store --from embedded --to postgres
  svc serve`,
  json: '{ "isNew", "rows", "from", "to" }; rows are counted by table.',
  run: verb('migrateStoreVerb'),
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command<VerbContext>[] = [
  ...[init, serve, doctor],
  ...FILE_COMMANDS,
  ...[backup, restore, migrateStore],
  ...SERVICE_COMMANDS,
];
