import type { Rows } from './rows.ts';

/** Several servers that share a PostgreSQL database. */
export const NODES: Rows = {
  'nodes.migrate-once': 'Processes that start at once on an empty database create its tables once.',
  'nodes.slots': 'If several processes claim a slot at the same time, one wins.',
  'nodes.chats':
    'Messages that several processes write to a chat at the same time are stored without gaps, each once.',
  'nodes.limits-per-day': 'Daily limits are exact, however many processes fire at the same time.',
  'nodes.turn-limits':
    'However many processes take turns, the concurrency limit of a project is kept, and one turn per chat runs.',
  'nodes.dead':
    'Running turns of a dead process are found and ended once, and its queued turns wait again.',
  'nodes.shares':
    'Each project is owned by one of the processes that share a database; a process that joins or leaves moves only its share.',
  'nodes.taken-over':
    'A slot that falls due while one process hands a project over to another fires late, even without catch-up.',
  'nodes.changes':
    'Changes at one process are published at all of them; if some may have been missed, subscribers must reload everything.',
  'nodes.cancel': 'A queued or running turn can be cancelled at any process.',
  'nodes.signals':
    'Signals of one process reach all others in order; after a lost connection they learn that they may have missed some.',
  'nodes.locks':
    'A named lock has one holder at a time, and is free once that process is gone or disconnected.',
  'nodes.time':
    'Several processes fire by the time of the database, whatever the clocks of their machines show.',
  'nodes.copied':
    'An embedded database is copied to a server completely or not at all, and copying again changes nothing.',
  'nodes.moved':
    'svc migrate-store copies a home to a server while svc is stopped; if killed it can be started again; running it again changes nothing.',
  'nodes.unmoved':
    'If a home has chats and runs in a file that was never migrated to its database, the log and svc doctor report it and name the command.',
  'nodes.empty-database':
    'A home with a history or a pause elsewhere does not start on an empty database: the error says how to migrate it, how to use it, and how to start without it.',
  'nodes.listed':
    'GET /api/nodes lists id, host, version, start, last heartbeat and running turns of each process; the status names the process of each running turn and the one that answers.',
  'nodes.gone':
    'For a day the status shows whether a server stopped or was lost, its last heartbeat, how many projects others took over, and when.',
  'nodes.holders':
    'Projects name the server that owns them, and the status counts the projects of each server.',
  'nodes.loss-named':
    'A slot missed because of a lost server names that server, its last heartbeat, and the time until others took over.',
  'nodes.figures':
    'Each server exports the number of servers, of its projects, and whether it leads; the sums are every project once, and one leader.',
  'cli.fire-over-a-stop':
    'svc fire --wait waits across a restart of the server, and names the run if it gives up.',
  'cli.status':
    'svc status shows what the running service does, with --json as in GET /api/status; it fails if none is running.',
  'cli.status.servers':
    'With a shared database svc status lists each server with address, home, last heartbeat and number of projects, marks silent ones, and lists those that went in the last day.',
  'nodes.durable': 'An acknowledged write is in the log of the database server, on its disk.',
  'nodes.lost-answer':
    'A committed write is reported as done, once, even if the connection breaks first; others fail.',
  'nodes.close':
    'A store closes within seconds, with all of its connections, even if the server does not answer.',
  'nodes.edited-schedule':
    'No slot of a schedule is claimed after another process has armed a new schedule for its trigger.',
  'nodes.stuck':
    'A process that stops in the middle of a write delays others only for seconds, and leaves nothing half done.',
  'nodes.waits':
    'A start without its database waits, gives the reason at every address and in the log, and continues automatically; a stop ends it at once.',
  'nodes.outage':
    'While the database does not answer, /readyz reports it, and the service recovers automatically.',
  'nodes.hangs':
    'A hanging database server is reported within seconds, and immediately from then on; a busy server or a suspended process is not.',
  'nodes.outage-slots':
    'After an outage of the database the newest slot is caught up at once, earlier ones are missed, and runs report their actual delay.',
  'settings.database-pooler':
    'A start, and svc doctor, refuse a pooler that shares connections between transactions; one in session mode works.',
  'nodes.full-disk':
    'While the disk of a database server is full, svc is not ready, and the reason names the disk.',
  'nodes.outage-blameless':
    'A run that ends during an outage keeps the result of its agent once the database is back; otherwise it is interrupted, which is no failure and pauses nothing.',
  'nodes.outage-logged':
    'An outage of the database is one log line of each server when it begins, and one when it ends.',
  'nodes.stood-still':
    'A server that was suspended reports that, and whether others took over its projects, and does not blame the database.',
  'settings.database-url':
    'database.url is the address of a PostgreSQL database with host and name; errors and settings show it without its password.',
  'settings.database-on-server':
    'A home with database.url keeps its durable data only on that server, and still belongs to one process.',
  'settings.projects-dir':
    'projects.dir is the projects folder for every command; a missing folder is reported and not created.',
  'nodes.not-loaded': 'An embedded database does not load the PostgreSQL driver.',
  'nodes.database-in-words':
    'A database server that is missing, refuses the user or lacks the database is reported with host, port and database, without the password.',
  'nodes.shown': 'Every process reports the same trigger state, whichever owns its project.',
  'nodes.lost':
    'A process that loses slots checks what is armed, because another may have armed something else.',
  'nodes.swept':
    'Edits, new and removed projects are found within seconds, even without notifications of the kernel.',
  'nodes.locked-edits':
    'Two servers never edit one project file at the same time, whatever locks the file system supports.',
  'nodes.leader-alerts':
    'One of several servers sends alerts, and another one takes over when it is gone.',
  'nodes.torture':
    'Three servers that are killed, stopped, disconnected and restarted under load, with their database, lose nothing, double nothing and report nothing wrong.',
  'nodes.last-good':
    'A server that takes over a project knows the last good version of its file found by any server.',
  'nodes.run-now':
    'Run now at any server runs once, can be waited for at any server, and all servers show the same run and chat.',
  'nodes.cancelled-anywhere':
    'A run or turn ends within two seconds after it is cancelled at another server, with the author; a chat can be continued at any server.',
  'nodes.paused':
    'A pause set at one server applies to all from its response on, stops turns of all if requested, and can be ended at any; so can a pause after failures.',
  'nodes.edits':
    'All servers report the result of an edit from its response on; concurrent edits lose nothing, and If-Match works across servers.',
  'nodes.by-hand':
    'A file edited by hand is armed within ten seconds, whichever server owns it and without notifications of the file system; a removed one is disarmed.',
  'nodes.limits':
    'Limits are exact across all servers: concurrent turns of a project, fires per day, overlap, and the chat of a resuming trigger.',
  'nodes.waiting-slots':
    'A slot waits for the previous run as long as necessary, however many servers there are.',
  'nodes.events': 'An event at any server fires its event triggers once.',
  'nodes.live': 'A subscriber at one server learns of changes at another within a second.',
  'nodes.alike':
    'All servers report the same status, projects, triggers, runs, usage, changes and answers of why, and none reports downtime while another was up.',
  'nodes.known': 'A sign-in or client token is valid at all servers.',
  'nodes.alerts':
    'An alert is sent once and at once, whichever server had the failure and while servers stop; all report the same sink state, and any can test it.',
  'nodes.stopped':
    'A stopping server hands over its projects within two seconds, without a missed slot, and lets its turns end.',
  'nodes.killed':
    'Turns of a killed server end as interrupted and their processes are gone within half a minute, and other servers take over its projects.',
  'nodes.copied-home':
    'A server on a copy of another home does not mistake the other server for its own earlier process.',
  'nodes.one-folder':
    'The projects folder of a shared database is marked once; a server with another folder, or a folder of another database, is refused with instructions.',
  'nodes.folder-lost':
    'A mark that is removed while svc runs is written again; if another folder replaces the projects folder, nothing fires and the reason is reported until it is back.',
  'nodes.not-alone':
    'A home or projects folder used with a shared database is not used without one until a user confirms it.',
  'nodes.place-shown':
    'The log and svc status show the database without its password, the projects folder and the id of the server.',
  'cli.any-shell':
    'A command for a running server goes through it from any shell: the settings of the server apply, not those of the shell.',
  'nodes.not-alike':
    'If servers differ in their time zone, or in a limit that must match, each reports it in its log and the status.',
  'nodes.lost-turns':
    'A turn whose end could not be written because of a long database outage is ended by its server once the database is back.',
  'nodes.claimed-left':
    'A slot claimed by a dead server is started by another one, regardless of catch-up; a slot about to start is never given up.',
  'nodes.sessions':
    'Sessions of the runtime claude are stored on the shared volume, so that each continues on any server.',
};
