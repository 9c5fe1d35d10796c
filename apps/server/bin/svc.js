#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { nodeFault } from './node-version.js';

const main = new URL('../dist/svc.js', import.meta.url);
const fault =
  nodeFault(process.versions.node) ||
  (existsSync(main)
    ? null
    : 'svc: it is not built yet: run "npm run build" in the repository first.');
if (fault === null) {
  void import(main.href);
} else {
  process.stderr.write(`${fault}\n`);
  process.exitCode = 1;
}
