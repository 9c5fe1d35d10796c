import { lstat, readlink } from 'node:fs/promises';
import type { Mount } from '../mounts.ts';
import { SYSTEM_FOLDERS } from './installations.ts';

// Only root may change or read these, but a process of root in a sandbox is their owner.
const KERNEL_SETTINGS = [
  'sys',
  'sysrq-trigger',
  'irq',
  'bus',
  'fs',
  'mtrr',
  'driver',
  'tty',
  'pressure',
];
const KERNEL_FILES = [
  ...[
    'kcore',
    'keys',
    'key-users',
    'kmsg',
    'kallsyms',
    'timer_list',
    'sched_debug',
    'latency_stats',
  ],
  ...[
    'kpagecount',
    'kpageflags',
    'kpagecgroup',
    'slabinfo',
    'vmallocinfo',
    'iomem',
    'ioports',
    'modules',
  ],
];
const KERNEL_FOLDERS = ['acpi', 'asound', 'scsi'];
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
// Settings of local programs, which only root can read in part.
const LOCAL_SETTINGS = '/usr/local/etc';
const SMALL_BYTES = 1024 * 1024;

/** The mounts that every sandbox on this machine has, except `/etc`. */
export async function systemMounts(memoryBytes: number): Promise<readonly Mount[]> {
  const [system, kernel, local] = await Promise.all([
    Promise.all(SYSTEM_FOLDERS.map(systemFolder)),
    kernelMounts(),
    exists(LOCAL_SETTINGS),
  ]);
  const temporary = (at: string, bytes: number): Mount => ({ kind: 'temporary', at, bytes });
  const link = (at: string, target: string): Mount => ({ kind: 'link', at, target });
  return [
    ...system.flat(),
    ...(local ? [{ kind: 'hidden-folder', at: LOCAL_SETTINGS } as const] : []),
    { kind: 'processes', at: '/proc' },
    ...kernel,
    temporary('/dev', SMALL_BYTES),
    ...DEVICES.map((name) => device(`/dev/${name}`)),
    device('/dev/pts'),
    ...[link('/dev/ptmx', 'pts/ptmx'), link('/dev/fd', '/proc/self/fd')],
    ...['stdin', 'stdout', 'stderr'].map((name, fd) => link(`/dev/${name}`, `/proc/self/fd/${fd}`)),
    temporary('/dev/shm', memoryBytes),
    temporary('/tmp', memoryBytes),
    link('/var/tmp', '/tmp'),
    { kind: 'folder', at: '/run' },
  ];
}

async function systemFolder(at: string): Promise<readonly Mount[]> {
  const entry = await lstat(at).catch(() => null);
  if (entry === null) return [];
  if (entry.isSymbolicLink()) return [{ kind: 'link', at, target: await readlink(at) }];
  return [{ kind: 'read-only', at, from: at }];
}

async function kernelMounts(): Promise<readonly Mount[]> {
  const all: readonly Mount[] = [
    ...KERNEL_SETTINGS.map((name) => readOnly(`/proc/${name}`)),
    ...KERNEL_FILES.map((name) => ({ kind: 'hidden-file', at: `/proc/${name}` }) as const),
    ...KERNEL_FOLDERS.map((name) => ({ kind: 'hidden-folder', at: `/proc/${name}` }) as const),
  ];
  const found = await Promise.all(
    all.map(async (mount) => ((await exists(mount.at)) ? [mount] : [])),
  );
  return found.flat();
}

function device(at: string): Mount {
  return { kind: 'device', at, from: at };
}

function readOnly(at: string): Mount {
  return { kind: 'read-only', at, from: at };
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
