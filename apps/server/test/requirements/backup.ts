import type { Rows } from './rows.ts';

/** Backup, restore, and databases of earlier versions. */
export const BACKUP: Rows = {
  'backup.taken':
    'svc backup copies the database, svc.config.yaml, and project.yaml and .svc/ of each project, and reports what it leaves out.',
  'backup.links':
    'A backup follows no link below a project folder, streams large files, stops at its limits, and lists what it left out.',
  'backup.consistent':
    'A backup of a running server has the database of one moment, whatever is written meanwhile.',
  'backup.firing':
    'A backup while triggers fire delays nothing, and restores to a consistent state.',
  'backup.stopped': 'Without a running server the database is copied as it is, of any version.',
  'backup.one': 'Only one copy of a database is made at a time.',
  'backup.cut-short': 'A copy ends when the database is closed or its log removed.',
  'backup.no-sign-ins': 'Sign-in sessions are not backed up.',
  'backup.own': 'A server gives its database only to commands of its own home.',
  'backup.file':
    'Only the owner can read a backup; it replaces another file only with --force, and leaves nothing behind if it fails.',
  'backup.server': 'For a database on a server, a backup says how to back it up there.',
  'restore.paused': 'A restored home is paused until svc resume, unless restored with --resume.',
  'restore.empty':
    'A restore needs an empty home, or one with projects and no data, and overwrites no file.',
  'restore.verified':
    'A restore reads the whole backup before it writes anything, and refuses one that is damaged, truncated or newer.',
  'restore.inside': 'No file of a backup is restored outside the home.',
  'restore.permissions':
    'A restored file has the permissions that it was backed up with, and one from the data folder is private.',
  'doctor.newer': 'svc doctor reports a database of a newer version, which svc serve refuses.',
  'restore.half': 'An interrupted restore leaves nothing that is used.',
  'restore.one':
    'A file that cannot be created because of its name is listed, and all others are restored.',
  'restore.many': 'A restore brings back every file of a large backup.',
  'commands.stop': 'Every command stops at a signal, whatever it waits for.',
  'backup.upgrade.copy': 'A database of an earlier version is copied before it is migrated.',
  'backup.upgrade.back':
    'A copy that replaces the database after a crash is opened as it is: the leftover log is moved away.',
  'backup.upgrade.newest': 'The newest two of these copies are kept.',
  'backup.upgrade.full': 'Without room for that copy the database is not changed and not opened.',
  'backup.upgrade.released':
    'This version serves the home of each released version with everything in it.',
  'backup.upgrade.newer': 'A database of a newer version is refused with a reason.',
};
