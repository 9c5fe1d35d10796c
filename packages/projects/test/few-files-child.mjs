// @ts-check
// Reads a prompt file of the project `demo` in a process that may open no more files: node
// few-files-child.mjs ROOT, under a limit of open files. Needs a build.
import { openSync } from 'node:fs';
import { createSystemClock, silentLogger as logger } from '@svc/core';
import { createProjects } from '@svc/projects';

const [root = ''] = process.argv.slice(2);
const projects = createProjects({ clock: createSystemClock(), logger }, { root, validation: {} });
const read = () => projects.readPrompt('demo', 'trigger', 'a.md');
const before = await read();
// All modules are loaded now. Uses up the remaining file descriptors.
for (;;) {
  try {
    openSync('/dev/null');
  } catch {
    break;
  }
}
const after = await read().catch((error) => `${error.code}: ${error.message}`);
process.stdout.write(JSON.stringify([before, after]));
process.exit(0);
