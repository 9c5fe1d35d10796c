import type { Rows } from './rows.ts';

/** What the service bears, and what it says of what it cannot. */
export const FAULTS: Rows = {
  'faults.disk.full':
    'On a full disk what cannot be kept is refused in words, what was kept stays whole, and the service goes on by itself.',
  'faults.disk.read-only':
    'A folder that may not be written is named, and costs only what needs it.',
  'faults.database.damaged':
    'A database that is damaged, emptied or gone is refused in words and left as it is; none is begun in its place.',
  'faults.database.locked':
    'A database that another program holds is waited for and then refused in words; a service never gives its own away.',
  'faults.database.upgrade': 'A migration is done as a whole or not at all.',
  'faults.folders.replaced':
    'Folders of data and projects may be deleted, moved and replaced under the service: nothing fires twice, and what is there counts.',
  'faults.descriptors':
    'Without a file descriptor to spare slots stay covered, the lack is told, and the service goes on by itself.',
  'faults.runtimes':
    'Programs that never end, ignore signals or flood their output are ended in time, in bounded memory, and told of truly.',
  'faults.power':
    'What was acknowledged survives a machine that forgets everything that was not synced, and nothing is done twice.',
};
