// @ts-check
// Writes docs/packages.md: the dependencies of each package.
import { writeFileSync } from 'node:fs';
import { packagesPage, TABLE } from './packages.mjs';

writeFileSync(TABLE, packagesPage());
