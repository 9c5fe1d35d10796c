import type { Rows } from './rows.ts';

/** Retention of runs, transcripts and changes. */
export const RETENTION: Rows = {
  'retention.runs':
    'retention.runs limits how many ended runs of a trigger are kept, with their transcripts; 1000 by default.',
  'retention.age': 'retention.age limits their age; 90d by default. null keeps all.',
  'retention.newest-failure':
    'The newest failure of a trigger is kept, unless the trigger is removed and the failure too old.',
  'retention.open':
    'Runs are kept while they run or wait, while their slot is in the future, and while something needs them.',
  'retention.unsent': 'Runs are kept until their alerts are sent.',
  'retention.words': 'A chat in which a person wrote is kept whole.',
  'retention.resumed':
    'In the chat of a resuming trigger the messages of removed runs are removed, and the rest is kept.',
  'retention.counts': 'Usage and fires of a day stay counted when its runs are removed.',
  'retention.alerts': 'Consecutive failures, as counted for alerts, include removed runs.',
  'retention.fires-once':
    'A slot whose run was removed never fires again, whatever the clock does; future slots fire.',
  'retention.space': 'Removed runs free their disk space.',
  'retention.size': 'A run of one step takes less than 1 kB.',
  'retention.upgrade': 'A database of an earlier version is opened with everything in it.',
  'retention.upgrade.killed': 'A kill while a database is upgraded loses nothing.',
  'retention.changes':
    'Of old changes, those effective at the oldest retained time are kept: definition, arming, file and pause.',
  'retention.begins':
    'Pruning begins within a minute of a start, in small steps, and delays no stop.',
  'retention.killed': 'A kill during pruning loses nothing else, and the next start continues.',
  'retention.shown':
    'History, transcript, a link to a removed run, settings, log, metrics and svc doctor show retention.',
  'retention.settings': 'Errors in the retention settings name the field.',
};
