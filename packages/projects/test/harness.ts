import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSystemClock, silentLogger, success } from '@svc/core';
import { type Change, createProjects, type Projects } from '@svc/projects';

export const PROJECT = `name: Demo # mine
triggers:
  nightly:
    trigger: { type: schedule, cron: 0 3 * * * }
    run: { prompt: "Do it." }
    enabled: true
`;

/** Adds a trigger of this name. */
export function adds(name: string): Change<null, never> {
  const record = { trigger: { type: 'webhook' }, enabled: true };
  return () => success({ edit: { put: name, record }, value: null });
}

/** The lines of such a trigger. */
export function linesOf(name: string): string {
  return `  ${name}:\n    trigger:\n      type: webhook\n    enabled: true\n`;
}

export interface Folder {
  readonly root: string;
  readonly projects: Projects;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
}

export async function withFolder(test: (folder: Folder) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'svc-projects-'));
  const root = join(home, 'projects');
  mkdirSync(root);
  const projects = createProjects(
    { clock: createSystemClock(), logger: silentLogger },
    { root, validation: {} },
  );
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  try {
    write('demo/project.yaml', PROJECT);
    const read = (path: string): string => readFileSync(join(root, path), 'utf8');
    await test({ root, projects, write, read });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** The lock file of a process of this machine. */
export function lockMark(changes: Readonly<Record<string, unknown>>): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const mark = { host: hostname(), boot, started: null, id: 'test', kernel: false, ...changes };
  return JSON.stringify(mark);
}
