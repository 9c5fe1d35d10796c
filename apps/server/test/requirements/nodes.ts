import type { Rows } from './rows.ts';

/** Several processes over one database on a PostgreSQL server. */
export const NODES: Rows = {
  'nodes.migrate-once': 'Processes that start at once on an empty database make its tables once.',
  'nodes.slots': 'Of several processes that claim a slot at the same time one wins it.',
  'nodes.chats':
    'What several processes say in a chat at the same time stands in it without a gap, each message once.',
  'nodes.limits-per-day':
    'The daily limits of fires hold exactly, however many processes fire at the same time.',
  'nodes.turn-limits':
    'However many processes take turns to run, no more of a project are taken than may run in it, and one of a chat.',
  'nodes.dead':
    'Of a process that is gone, what ran can be found and ended once, and what it had not started waits again.',
  'nodes.shares':
    'Each project is looked after by one of the processes that share a database; who comes or goes moves no more than its share.',
  'nodes.taken-over':
    'A slot that falls due while one process hands a project over to another fires as late, also where nothing is to be caught up.',
  'nodes.changes':
    'What changes at one process is told at all of them; where some of it may have been missed, whoever listens is told to fetch everything again.',
  'nodes.cancel': 'A turn that waits or runs can be cancelled at any process, whichever has it.',
  'nodes.signals':
    'What one process tells the others is heard by all of them in order; where a connection was cut they are told that they may have missed something.',
  'nodes.locks':
    'A lock on a name is held by one process at a time, and is free once that process is gone or cut off.',
  'nodes.time':
    'The time by which a process of several fires is that of the database, whatever the clock of its machine says.',
  'nodes.copied':
    'What an embedded database keeps is copied to a server as a whole or not at all, and a second time nothing is changed.',
  'nodes.moved':
    'svc migrate-store copies a home to a server while svc is stopped, killed in the middle too, after which it can be started again; another time changes nothing.',
  'nodes.unmoved':
    'Where a home keeps chats and runs in a file that were never moved to its database, the log and svc doctor say so, with the way to move them.',
  'nodes.empty-database':
    'A home that has its history, or a pause, in a file or in another database does not start on an empty one, and fires nothing there: it says how to move it, how to use it, and how to start without it.',
  'nodes.told':
    'GET /api/nodes tells of each process its id, host, version, start, last sign of life and how many turns it runs, and the status which of them runs a turn and which one answers.',
  'nodes.gone':
    'Of a server that is gone the status tells for a day whether it left or was lost, its last sign of life, and how many projects others took over, and when.',
  'nodes.holders':
    'The projects tell which server looks after each of them, and the status how many each server does.',
  'nodes.loss-named':
    'A slot that was missed because a server was lost says which server, since when nothing was heard of it, and how long it took until others took over.',
  'nodes.figures':
    'Each server exports how many servers there are, how many projects it looks after and whether it leads: added up, that is every project once, and one leader.',
  'cli.fire-over-a-stop':
    'svc fire --wait waits over a stop and a restart of the server, and names the run where it gives up.',
  'cli.status':
    'svc status says what the running service does, with --json as GET /api/status has it; it fails where none runs.',
  'cli.status.servers':
    'Where servers share a database svc status names each, one that is alone too, with its address, home, last sign of life and how many projects it looks after, says which is silent, and which have gone in the last day.',
  'nodes.durable': 'What is written is in the log of the server, on its disk, when it is answered.',
  'nodes.lost-answer':
    'What is committed on a server is answered as done, and once, although the connection breaks before it says so; what is not fails.',
  'nodes.close':
    'A store is closed within seconds, and with all of its connections, also where the server does not answer.',
  'nodes.edited-schedule':
    'No slot of a schedule is claimed any more once another process has armed another one for its trigger.',
  'nodes.stuck':
    'A process that stops in the middle of writing keeps others waiting for seconds only, and leaves nothing of what it began.',
  'nodes.waits':
    'A start without its database waits, saying why at every address and in the log, and goes on by itself; asked to stop it ends at once.',
  'nodes.outage':
    'While the database does not answer that is told at /readyz, and the service goes on by itself once it does.',
  'nodes.hangs':
    'Of a server that hangs, too, everybody is told within seconds, and at once from then on; one that is busy, or a process that stood still itself, is no such thing.',
  'nodes.outage-slots':
    'After an outage of the database the newest slot is made up for, at once, what passed before it is missed, and a run is as late as it begins.',
  'settings.database-pooler':
    'A start, and svc doctor, refuse an address behind which a pooler hands connections on between transactions; one that keeps them for a session works.',
  'nodes.full-disk':
    'While the disk of a database server is full svc stays unready until there is room again, and the reason says that it is the disk.',
  'nodes.outage-blameless':
    'A run that the database was unavailable for ends as its agent ended it, with what it said, once that is back; where that cannot be it is interrupted, which counts as no failure and pauses nothing.',
  'nodes.told-once':
    'An outage of the database is one line of the log of each server when it begins, and one when it is over.',
  'nodes.stood-still':
    'A server that was suspended says so itself, and whether others have taken its projects over, and does not blame the database.',
  'settings.database-url':
    'database.url is the address of a PostgreSQL database with a host and a name; what is wrong with it is said, and the settings are shown, without its password.',
  'settings.database-on-server':
    'A home with database.url keeps what must survive on that server and nothing of it in a file, and is for one process all the same.',
  'settings.projects-dir':
    'projects.dir names the folder of the projects, for every command; where it is not there that is said, and it is not made.',
  'nodes.not-loaded': 'An embedded database loads nothing of what speaks to servers.',
  'nodes.database-in-words':
    'A server that is not there, refuses the user or lacks the database is told of in a sentence with host, port and database, without the password.',
  'nodes.shown':
    'How a trigger stands is told the same by every process, whichever looks after its project.',
  'nodes.lost':
    'A process that loses slots looks again at what is armed, as another may have armed something else.',
  'nodes.swept':
    'Edits, new projects and removed ones are found within seconds also where the kernel tells of no change.',
  'nodes.locked-edits':
    'Two servers never edit one project file at the same time, whatever locks the file system has.',
  'nodes.leader-alerts':
    'Of several servers one tells people what happens, and another one goes on when that one is gone.',
  'nodes.torture':
    'Three servers that are killed, stopped, cut off and restarted under load, their database too, lose, double and tell nothing wrong.',
  'nodes.last-good':
    'A server that takes over a project knows the last good version of its file that any of them has found.',
  'nodes.run-now':
    'Run now asked of any server runs once, can be waited for at any, and its run and chat are the same at all.',
  'nodes.cancelled-anywhere':
    'What runs or waits ends within two seconds of being cancelled at another server, with who it was; a chat goes on with what is said at any.',
  'nodes.paused':
    'A pause asked for at one server holds at all from its answer on, stops turns of all where that is asked for, and can be ended at any; so can that of a trigger after failures.',
  'nodes.edits':
    'What an edit at one server has made of triggers and projects is told alike by all from its answer on; edits at the same time lose nothing, and If-Match holds across servers.',
  'nodes.by-hand':
    'A file that is written by hand is armed within ten seconds, whichever server looks after it and where the system tells nothing of files, and one that is gone is disarmed.',
  'nodes.limits':
    'Limits hold exactly over all servers: turns of a project at a time, fires of a day, overlap, and the one chat of a trigger that resumes.',
  'nodes.waiting-slots':
    'A slot that waits for the run before it waits for as long as that takes, however many servers there are.',
  'nodes.events': 'What happens at any server fires its event triggers once.',
  'nodes.live':
    'Whoever follows changes at one server is told within a second of what happens at another.',
  'nodes.alike':
    'Status, projects, triggers, runs, usage, changes and why are told alike by all servers, and none says that the service was down while one of them was up.',
  'nodes.known':
    'Who has signed in at one server, or has the token of a client, is known at all of them.',
  'nodes.alerts':
    'An alert is sent once and at once, whichever server had the failure and while servers stop; all tell alike how a sink stands, and any can try it.',
  'nodes.stopped':
    'A server that is stopped hands over what it looks after within two seconds, without a slot missed, and lets its turns end.',
  'nodes.killed':
    'Of a server that is killed turns end as interrupted and their processes on the machine are gone within half a minute, and what it looked after goes on elsewhere.',
  'nodes.copied-home':
    'A server on a copy of the home of another one does not take that one for an earlier life of its own.',
  'nodes.one-folder':
    'The folder of projects of a database on a server is marked once; a server with another folder, or a folder of another database, is refused in words that say what to do.',
  'nodes.folder-lost':
    'A mark that is removed while svc runs is made anew; where another folder takes the place of the one of the projects nothing fires, and that is said, until it is back.',
  'nodes.not-alone':
    'A home, or a folder of projects, that is used with a database on a server is not used without one until somebody says so.',
  'nodes.place-told':
    'The log and svc status name the database, without its password, the folder of the projects and the id of the server.',
  'cli.any-shell':
    'A command for a running server goes through it, in whatever shell it is typed: the settings of the server count, not those of the shell.',
  'nodes.not-alike':
    'Where servers differ in their time zone, or in a limit that has to be the same, each says so in its log, and the status does.',
  'nodes.lost-turns':
    'A turn whose end could not be written, because the database was away for too long, is ended by its server once it is back.',
  'nodes.claimed-left':
    'A slot that was claimed by a server that is gone is started by another one, whatever is to be caught up; none that is about to be started is given up.',
  'nodes.sessions':
    'Sessions of the runtime claude lie on the volume that servers share, so that each goes on wherever its next turn is run.',
};
