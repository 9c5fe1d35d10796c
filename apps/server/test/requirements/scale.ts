import type { Rows } from './rows.ts';

/** Many projects, many triggers and many fires on one machine. */
export const SCALE: Rows = {
  'scale.durable':
    'Writes share a commit where they come together; none is answered, and nothing of it is seen, before it is on the disk.',
  'scale.alone': 'Of writes that share a commit one that fails touches no other.',
};
