import type { Rows } from './rows.ts';

/** What is packed, and works wherever it is installed. */
export const PACKAGES: Rows = {
  'packages.server':
    'The packed server is installed by npm in an empty folder with an empty home, on Node 20, 22 and 24, and then fires triggers, shows its page and takes the locks of the kernel.',
  'packages.server.npx': 'The packed server runs with npx.',
  'packages.server.database':
    'The packed server keeps what it has in the database on a server that is named.',
  'packages.alone':
    'Every other package is installed by the line in its README, with npm and with pnpm, and the first example there then runs in an empty folder and prints what it says.',
  'packages.named':
    'The line in a README that installs names every package that its example imports.',
};
