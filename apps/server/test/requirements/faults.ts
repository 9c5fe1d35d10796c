import type { Rows } from './rows.ts';

/** Behavior under faults. */
export const FAULTS: Rows = {
  'faults.disk.full':
    'On a full disk, writes are refused with a reason, stored data stays intact, and the service recovers automatically.',
  'faults.disk.read-only': 'A read-only folder is named, and affects only what needs it.',
  'faults.database.damaged':
    'A damaged, emptied or missing database is refused with a reason and left unchanged; no new one replaces it.',
  'faults.database.locked':
    'A database locked by another program is waited for, then refused with a reason; a service never gives up its own lock.',
  'faults.database.upgrade': 'A migration is applied completely or not at all.',
  'faults.folders.replaced':
    'Data and project folders can be deleted, moved and replaced while svc runs: nothing fires twice, and the current content applies.',
  'faults.descriptors':
    'Without free file descriptors slots stay covered, the shortage is reported, and the service recovers automatically.',
  'faults.runtimes':
    'Programs that never end, ignore signals or flood their output are ended in time, in bounded memory, and reported correctly.',
  'faults.power': 'Acknowledged writes survive a power loss, and nothing is done twice.',
};
