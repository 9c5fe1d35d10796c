import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSystemClock, silentLogger } from '@svc/core';
import {
  createSandboxHost,
  type Sandbox,
  type SandboxHost,
  type SandboxHostOptions,
  type SandboxSpec,
  type SandboxUser,
} from '../src/index.ts';

const run = promisify(execFile);
const OTHER_ID = 65_534;

// Only root can switch to another user.
const other: SandboxUser = {
  uid: OTHER_ID,
  gid: OTHER_ID,
  prefix: [
    ...(['/usr/bin/setpriv', '--reuid', `${OTHER_ID}`, '--regid', `${OTHER_ID}`] as const),
    ...['--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--no-new-privs', '--'],
  ],
};

/** Users that sandboxes can run as here, with names for tests. */
export const users: readonly (readonly [string, SandboxUser | null])[] =
  process.getuid?.() === 0
    ? [
        ['the user of the tests', null],
        ['another user', other],
      ]
    : [['the user of the tests', null]];

/** Folders on this machine, and the host of sandboxes over them. */
export interface World {
  readonly base: string;
  /** A project with a repository, `project.yaml` and `.claude`. */
  readonly project: string;
  /** A folder that must not be seen, with the file `secret`. */
  readonly outside: string;
  readonly host: SandboxHost;
  readonly spec: SandboxSpec;
  /** Opens a sandbox over the project. It is closed at the end of the test. */
  open(changed?: Partial<SandboxSpec>): Promise<Sandbox>;
}

/** How a command ended: its exit code, and its output with errors. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a test with new folders. */
export async function inWorld(
  user: SandboxUser | null,
  test: (world: World) => Promise<void>,
  changed: Partial<SandboxHostOptions> = {},
): Promise<void> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'svc-sandbox-')));
  await chmod(base, 0o755);
  const [project, outside] = [join(base, 'project'), join(base, 'outside')];
  // As in a home of svc, only this user can enter the folder with the state.
  const data = join(base, 'data');
  await mkdir(data, { mode: 0o700 });
  const opened: Sandbox[] = [];
  try {
    await makeFolders(project, outside, user);
    const path = '/usr/local/bin:/usr/bin:/bin';
    const host = createSandboxHost(
      { clock: createSystemClock(), logger: silentLogger },
      {
        ...{ path, node: process.execPath, stateFolder: join(data, 'state'), hide: [outside] },
        ...{ readOnly: [], writable: [], user },
        limits: { memoryBytes: 2 ** 29, processes: 200, cpuMs: null },
        ...changed,
      },
    );
    const spec: SandboxSpec = {
      ...{ folder: project, writable: true, home: join(data, 'state/home'), homeLinks: [] },
      ...{ protectedPaths: ['project.yaml', '.claude', '.svc'], path, programs: [], network: [] },
    };
    await test({
      ...{ base, project, outside, host, spec },
      async open(different = {}) {
        const sandbox = await host.open({ ...spec, ...different });
        if (!sandbox.ok) throw new Error(sandbox.error);
        opened.push(sandbox.value);
        return sandbox.value;
      },
    });
  } finally {
    await Promise.all(opened.map((sandbox) => sandbox.close()));
    await rm(base, { recursive: true, force: true });
  }
}

async function makeFolders(
  project: string,
  outside: string,
  user: SandboxUser | null,
): Promise<void> {
  await mkdir(join(project, '.claude'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'a secret of this machine');
  await writeFile(join(project, 'project.yaml'), 'name: first\n');
  await writeFile(join(project, 'notes.md'), 'notes\n');
  const git = { cwd: project, env: { PATH: process.env['PATH'], HOME: project } };
  await run('git', ['init', '-q'], git);
  if (user === null) return;
  await chown(outside, user.uid, user.gid);
  await run('chown', ['-R', `${user.uid}:${user.gid}`, project]);
}

/** Runs a shell command in the project folder of a sandbox. */
export async function sh(sandbox: Sandbox, command: string): Promise<Ended> {
  const enter = `cd "${sandbox.folder}" && ${command}`;
  const child = sandbox.spawn('/bin/bash', ['-c', enter], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: sandbox.home, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', (exit) => resolve(exit));
  });
  return { code, output: output.trim() };
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
