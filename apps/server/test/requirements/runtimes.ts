import type { Rows } from './rows.ts';

/** What runs agents, and how it is set up. */
export const RUNTIMES: Rows = {
  'runtimes.doctor':
    'svc doctor says which runtimes can be used, what each holds, and what to do next, and asks no model.',
  'runtimes.init':
    'svc init --runtime writes the settings of a runtime without any key, and says what to export; nothing that is there begins to cost.',
};
