import type { Rows } from './rows.ts';

/** What is kept of runs, and what is not. */
export const RETENTION: Rows = {
  'retention.runs':
    'retention.runs bounds how many ended runs of a trigger stay, with their transcripts; 1000 unless it is set.',
  'retention.age': 'retention.age bounds how old they are; 90d unless it is set. null keeps all.',
  'retention.newest-failure':
    'The newest failure of a trigger stays, unless the trigger is gone and the failure too old.',
  'retention.open':
    'Runs stay while they run or wait, while their slot is still to come, and while something needs them.',
  'retention.untold': 'Runs stay until alerts have told of them.',
  'retention.words': 'A chat into which somebody has written stays whole.',
  'retention.resumed':
    'Of a chat that its trigger goes on in, what removed runs have said goes, and the rest stays.',
  'retention.counts': 'What was used and fired on a day stays counted when its runs are removed.',
  'retention.alerts': 'Failures in a row, as alerts count them, hold also those that were removed.',
  'retention.fires-once':
    'A slot whose run was removed is never fired again, whatever the clock does; slots still to come are fired.',
  'retention.space': 'Removed runs give their space back to the disk.',
  'retention.size': 'A run of one step takes less than 1 kB.',
  'retention.upgrade': 'A database of an earlier version is opened with all that it holds.',
  'retention.upgrade.killed': 'A kill while a database is upgraded loses nothing.',
  'retention.changes':
    'Of old changes what held at the oldest instant that is kept stays: definition, arming, file and pause.',
  'retention.begins':
    'Removing begins within a minute of a start, in small steps, and holds up no stop.',
  'retention.killed':
    'A kill while runs are removed loses nothing else, and the next start goes on.',
  'retention.shown':
    'History, transcript, a link to a removed run, settings, log, figures and svc doctor tell of retention.',
  'retention.settings': 'What is wrong with the settings of retention is said with the field.',
};
