#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/svc.js', import.meta.url);
if (!existsSync(main)) {
  process.stderr.write('svc: it is not built yet: run "npm run build" in the repository first.\n');
  process.exit(1);
}
await import(main.href);
