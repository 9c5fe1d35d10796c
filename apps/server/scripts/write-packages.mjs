// @ts-check
// Writes docs/packages.md: what each package brings with it.
import { writeFileSync } from 'node:fs';
import { packagesPage, TABLE } from './packages.mjs';

writeFileSync(TABLE, packagesPage());
