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
  'packages.clone':
    'The README of a package says how to pack and install it from a clone, with every package that its example imports.',
  'packages.types':
    'A strict TypeScript program that checks the declarations of libraries too compiles with each package, installed as its README says.',
  'packages.release':
    'A release takes changes up into versions and changelogs, packs every package once, and publishes exactly these files, each after those that it needs.',
  'packages.bill':
    'Each package has a bill of materials, by the lock file and for the server by what its bundlers wrote down, with the hashes of the lock file.',
  'packages.audit':
    'A release is kept back by what a registry knows against a library that ships; where none can be asked, that is said and counts as neither.',
};
