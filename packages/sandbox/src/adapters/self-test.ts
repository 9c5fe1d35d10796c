import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { messageOf, type Result } from '@svc/core';
import { isWithin, type Mount } from '../mounts.ts';
import type { SandboxHostOptions, SandboxSpec, SandboxSupport } from '../sandbox.ts';
import { findPrograms } from './find-programs.ts';
import type { Launcher } from './launch.ts';
import type { Programs } from './namespaces.ts';
import { type OpenedSandbox, STARTING } from './open-sandbox.ts';
import { mountPoints } from './protected-paths.ts';
import { startFault } from './start-fault.ts';

/** Opens the sandbox of a self-test. The error is one sentence. */
export type OpenWith = (
  programs: Programs,
  spec: SandboxSpec,
) => Promise<Result<OpenedSandbox, string>>;

/** Opens a sandbox on this machine, attempts the main escapes in it, and looks at it from outside. */
export async function checkSupport(
  options: SandboxHostOptions,
  openWith: OpenWith,
  limits: () => Promise<'cgroup' | 'sums'>,
): Promise<SandboxSupport> {
  const programs = findPrograms(options.path, options.bwrap ?? null);
  if ('supported' in programs) return programs;
  const folders = await createFolders(options);
  try {
    const opened = await openWith(programs, {
      ...{ folder: folders.project, writable: true, protectedPaths: ['project.yaml'] },
      ...{ home: join(folders.project, 'home'), homeLinks: [] },
      ...{ path: options.path, programs: [], network: [] },
    });
    if (!opened.ok) return await startFault(opened.error.replace(STARTING, ''));
    const { launcher } = programs;
    const fault = await faultOf(opened.value, folders, options, launcher);
    await opened.value.close();
    if (fault !== null) return await startFault(fault);
    return { supported: true, limits: await limits(), refusesKeys: launcher !== null };
  } catch (error) {
    return await startFault(messageOf(error));
  } finally {
    await Promise.all(
      Object.values(folders).map((folder) => rm(folder, { recursive: true, force: true })),
    );
  }
}

interface Folders {
  /** The folder to work in. */
  readonly project: string;
  /** A folder with a file that must not be seen. */
  readonly outside: string;
}

async function createFolders({ user, stateFolder }: SandboxHostOptions): Promise<Folders> {
  const project = await mkdtemp(join(tmpdir(), 'svc-sandbox-'));
  const outside = await mkdtemp(join(stateFolder, 'self-test-'));
  await writeFile(join(project, 'project.yaml'), ORIGINAL);
  await writeFile(join(outside, 'secret'), 'not for agents\n');
  // Permissions of files must not hide what the sandbox lets through.
  await chmod(outside, 0o755);
  if (user !== null) {
    for (const path of [project, join(project, 'project.yaml')]) {
      await chown(path, user.uid, user.gid);
    }
  }
  return { project, outside };
}

const ORIGINAL = 'name: self-test\n';

// All rights are gone, no program brings them back, and no namespace can be created in which they would return.
const ATTEMPTS = [
  'for file in /proc/[0-9]*/status; do while read -r name value; do',
  'case $name in Cap???:) [ "$value" = 0000000000000000 ] || [ "$name" = CapBnd: ] || echo "it keeps $name $value";;',
  'NoNewPrivs:) [ "$value" = 1 ] || echo "its programs can gain rights";; esac;',
  'done < $file; done 2>/dev/null;',
  'unshare --user true 2>/dev/null && echo "it can create user namespaces";',
  '[ -e /etc/shadow ] && echo "it sees /etc/shadow";',
  '(echo 1 > /proc/sys/user/max_user_namespaces) 2>/dev/null && echo "it can change kernel settings";',
  '(: > /usr/svc-self-test) 2>/dev/null && echo "it can change the system";',
  'mount -t tmpfs none /tmp 2>/dev/null && echo "it can mount file systems";',
  '[ -e "$1/secret" ] && echo "it sees files of the service";',
  // Asks for the id of the session keyring.
  '[ -n "$3" ] && "$3" -e "exit(syscall(\\$ARGV[0] + 0, 0, -3, 0) == -1)" "$4" && echo "it can use the keyrings of the kernel";',
  'cd "$2" || echo "it cannot enter its folder";',
  '(echo x >> project.yaml) 2>/dev/null && echo "it can change protected files";',
  'mv project.yaml moved 2>/dev/null && echo "it can move protected files";',
  '(echo x > allowed) 2>/dev/null || echo "it cannot change its folder";',
  'echo done',
].join('\n');

async function faultOf(
  sandbox: OpenedSandbox,
  folders: Folders,
  { readOnly, writable }: SandboxHostOptions,
  launcher: Launcher | null,
): Promise<string | null> {
  const isShared = [...readOnly, ...writable].some((path) => isWithin(folders.outside, path));
  const hidden = isShared ? '/nowhere' : folders.outside;
  const keyring = launcher === null ? [] : [launcher.perl, String(launcher.filter.keyctl)];
  const [first] = await attempt(sandbox, [hidden, folders.project, ...keyring]);
  if (first !== 'done') return first ?? 'it runs no commands';
  const text = await readFile(join(folders.project, 'project.yaml'), 'utf8').catch(() => '');
  if (text !== ORIGINAL) return 'it can change protected files';
  const [extra] = await unexpectedMounts(sandbox);
  return extra === undefined ? null : `it has the unexpected mount ${extra}`;
}

/** The lines that the attempts print; only `done` if none succeeded. */
async function attempt(
  sandbox: OpenedSandbox,
  args: readonly string[],
): Promise<readonly string[]> {
  const child = sandbox.spawn('/bin/sh', ['-c', ATTEMPTS, 'sh', ...args], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await new Promise<void>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  return output.trim() === '' ? [] : output.trim().split('\n');
}

/** Mount points that neither this package nor a mount of this machine below one of its mounts explains. */
async function unexpectedMounts({ pid, mounts }: OpenedSandbox): Promise<readonly string[]> {
  const [found, ofMachine] = await Promise.all([mountPoints(pid), mountPoints(process.pid)]);
  return [...found].filter((at) => at !== '' && !isExpected(at, mounts, ofMachine));
}

function isExpected(at: string, mounts: readonly Mount[], ofMachine: ReadonlySet<string>): boolean {
  if (at === '/' || mounts.some((mount) => mount.at === at)) return true;
  return mounts.some(
    (mount) =>
      'from' in mount &&
      isWithin(at, mount.at) &&
      ofMachine.has(join(mount.from, relative(mount.at, at))),
  );
}
