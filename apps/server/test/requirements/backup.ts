import type { Rows } from './rows.ts';

/** Backups, what is made of them, and databases of earlier versions. */
export const BACKUP: Rows = {
  'backup.taken':
    'svc backup takes the database, svc.config.yaml, and of each project project.yaml and .svc/, and says what it leaves.',
  'backup.links':
    'A backup follows no link below the folder of a project, reads large files piece by piece, stops at its bounds, and lists what it left out.',
  'backup.consistent':
    'A backup of a running server has the database as it was at one moment, whatever is written meanwhile.',
  'backup.firing': 'A backup while triggers fire holds nothing up, and restores to what agrees.',
  'backup.stopped': 'Without a running server the database is backed up as it is, of any version.',
  'backup.one': 'One copy of a database is made at a time.',
  'backup.cut-short': 'A copy ends when the database is closed or its log removed.',
  'backup.no-sign-ins': 'Sign-ins are not backed up.',
  'backup.own': 'A server gives its database out to commands of its own home alone.',
  'backup.file':
    'A backup is for its owner alone, takes no place of another file without --force, and leaves nothing where it fails.',
  'backup.server': 'Of a database on a server a backup says what to do there.',
  'restore.paused':
    'In a restored home nothing starts by itself until svc resume, or with --resume.',
  'restore.empty':
    'A restore goes into an empty home, or one with projects and no data, and takes the place of no other file.',
  'restore.verified':
    'A restore reads all of a backup before it writes anything, and refuses one that is damaged, cut short or newer.',
  'restore.inside': 'No file of a backup is restored anywhere but in the home.',
  'restore.half': 'A restore that is cut short leaves nothing that is used.',
  'restore.one':
    'A file that cannot be created, because of its name, is listed, and keeps no other from being restored.',
  'restore.many': 'A restore brings back as many files as a backup took.',
  'commands.stop': 'Every command stops when it is asked to, whatever it waits for.',
  'backup.upgrade.copy':
    'A database of an earlier version is kept as it was before it is brought to the form of this one.',
  'backup.upgrade.back':
    'A kept copy that takes the place of the database after a crash is opened as it is: the log that was left is moved away.',
  'backup.upgrade.newest': 'The newest two of these copies are kept.',
  'backup.upgrade.full':
    'Without room for that copy the database stays as it is, and is not opened.',
  'backup.upgrade.released':
    'The home of each released version is served by this one with all that it holds.',
  'backup.upgrade.newer': 'A database of a newer version is refused in words.',
};
