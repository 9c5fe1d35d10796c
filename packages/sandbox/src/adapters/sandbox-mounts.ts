import { realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isWithin, type Mount } from '../mounts.ts';
import type { SandboxHostOptions, SandboxSpec } from '../sandbox.ts';
import { pathMounts, programMounts, SYSTEM_FOLDERS } from './installations.ts';

const HOME = '/home/agent';
const OTHER_HOME = '/run/agent';
const LINKED = '/run/linked';
const SYSTEM = SYSTEM_FOLDERS.map((at) => ({ kind: 'read-only', at, from: at }) as const);

/** Where the home folder is in a sandbox for this folder. */
export function homeOf(folder: string): string {
  return isWithin(folder, HOME) || isWithin(HOME, folder) ? OTHER_HOME : HOME;
}

/** Symbolic links of the home folder: absolute targets in the sandbox, and the path relative to the home folder. */
export function homeLinksOf({
  homeLinks,
}: SandboxSpec): readonly (readonly [target: string, at: string])[] {
  return homeLinks.map(({ at }, number) => [`${LINKED}/${number}`, at]);
}

/** What the mounts of one sandbox depend on. */
export interface SandboxMountParts {
  /** Mounts of protected paths. */
  readonly protection: readonly Mount[];
  /** Selects the mounts that the user of the sandbox can read. */
  readonly readable: (mounts: readonly Mount[]) => Promise<readonly Mount[]>;
}

/** Everything that one sandbox sees beside the system, `/etc` and its home folder. */
export async function sandboxMounts(
  options: SandboxHostOptions,
  spec: SandboxSpec,
  folder: string,
  { protection, readable }: SandboxMountParts,
): Promise<readonly Mount[]> {
  const hide = await realPaths(options.hide);
  const [path, programs, node, readOnly, writable, links] = await Promise.all([
    pathMounts(spec.path),
    Promise.all(spec.programs.map(programMounts)).then((all) => all.flat()),
    programMounts(options.node),
    extraMounts('read-only', [...options.readOnly, ...(spec.readOnly ?? [])]),
    extraMounts('writable', options.writable),
    linkMounts(spec),
  ]);
  const isHidden = ({ from }: { readonly from: string }): boolean =>
    hide.some((hidden) => isWithin(from, hidden));
  const visible = [...path, ...programs].filter((mount) => !('from' in mount && isHidden(mount)));
  const found = await readable(visible);
  const own: Mount = { kind: spec.writable ? 'writable' : 'read-only', at: folder, from: folder };
  const open = [...node, ...found, ...readOnly, ...writable, ...links, own];
  return [...open, ...(await masks(hide, [...SYSTEM, ...open], folder)), ...protection];
}

/** Real paths of those that exist. */
export async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return found.filter((path) => path !== null);
}

async function extraMounts(
  kind: 'read-only' | 'writable',
  paths: readonly string[],
): Promise<readonly Mount[]> {
  return (await realPaths(paths)).map((path) => ({ kind, at: path, from: path }));
}

async function linkMounts({ homeLinks }: SandboxSpec): Promise<readonly Mount[]> {
  const found = await Promise.all(
    homeLinks.map(async ({ from }, number): Promise<readonly Mount[]> => {
      const real = await realpath(from).catch(() => null);
      return real === null ? [] : [{ kind: 'writable', at: `${LINKED}/${number}`, from: real }];
    }),
  );
  return found.flat();
}

// A hidden path is masked wherever a mount makes it visible, even under another name.
async function masks(
  hide: readonly string[],
  open: readonly Mount[],
  folder: string,
): Promise<readonly Mount[]> {
  const found: Mount[] = [];
  for (const path of hide) {
    const entry = await stat(path).catch(() => null);
    for (const mount of open) {
      if (!('from' in mount) || !isWithin(path, mount.from) || path === folder) continue;
      const at = join(mount.at, relative(mount.from, path));
      // The mount point itself, or a folder above it, was named on purpose.
      if (isWithin(mount.at, at)) continue;
      found.push({ kind: entry?.isDirectory() ? 'hidden-folder' : 'hidden-file', at });
    }
  }
  return found;
}
