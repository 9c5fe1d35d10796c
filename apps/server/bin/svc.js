#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { nodeFault } from './node-version.js';

const main = new URL('../dist/svc-start.js', import.meta.url);
const fault =
  nodeFault(process.versions.node) ||
  (existsSync(main)
    ? null
    : 'svc: it is not built yet: run "npm run build" in the repository first.');
if (fault === null) {
  import(main.href).catch((error) => {
    if (error?.code !== 'EMFILE') throw error;
    process.stderr.write('svc: too few files may be opened here: raise the limit (ulimit -n).\n');
    process.exitCode = 1;
  });
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
