import type { Rows } from './rows.ts';

/** Packages and releases. */
export const PACKAGES: Rows = {
  'packages.server':
    'The packed server installs with npm in an empty folder with an empty home, on Node 20, 22 and 24, then fires triggers, serves its page and uses kernel locks.',
  'packages.server.npx': 'The packed server runs with npx.',
  'packages.server.database': 'The packed server uses a configured database server.',
  'packages.alone':
    'Every other package installs with the command in its README, with npm and pnpm, and the first example there runs in an empty folder and prints what it says.',
  'packages.named': 'The install command in a README names every package that its example imports.',
  'packages.clone':
    'The README of a package says how to pack and install it from a clone, with every package that its example imports.',
  'packages.types':
    'A strict TypeScript program with library checks compiles with each package, installed as its README says.',
  'packages.release':
    'A release turns changesets into versions and changelogs, packs every package once, and publishes exactly these files in dependency order.',
  'packages.bill':
    'Each package has a bill of materials from the lock file, for the server from its bundlers, with the hashes of the lock file.',
  'packages.audit':
    'A known vulnerability of a shipped library stops a release; if the registry does not answer, the result is neither passed nor failed.',
};
