/** One mount of a sandbox, at an absolute path. */
export type Mount =
  | {
      readonly kind: 'read-only' | 'writable' | 'device';
      readonly at: string;
      readonly from: string;
    }
  /** A temporary file system of at most this size. */
  | { readonly kind: 'temporary'; readonly at: string; readonly bytes: number }
  /** An empty folder. */
  | { readonly kind: 'hidden-folder'; readonly at: string }
  | { readonly kind: 'hidden-file'; readonly at: string }
  | { readonly kind: 'link'; readonly at: string; readonly target: string }
  | { readonly kind: 'folder'; readonly at: string }
  /** The processes of the sandbox. */
  | { readonly kind: 'processes'; readonly at: string };

/** Arguments of bwrap for these mounts: parents first, a later mount at the same path replaces an earlier one. */
export function mountArguments(mounts: readonly Mount[]): string[] {
  const last = new Map(mounts.map((mount) => [mount.at, mount]));
  const ordered = [...last.values()].sort(
    (one, other) => depthOf(one.at) - depthOf(other.at) || (one.at < other.at ? -1 : 1),
  );
  // bwrap creates missing mount points, so file systems of its own become read-only last.
  const own = ordered.filter(({ kind, at }) => kind === 'hidden-folder' || at === '/dev');
  const closed = ['/', ...own.map(({ at }) => at)].flatMap((at) => ['--remount-ro', at]);
  return [...ordered.flatMap(argumentsOf), ...closed];
}

/** Whether a path is this folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function argumentsOf(mount: Mount): readonly string[] {
  const { at } = mount;
  switch (mount.kind) {
    case 'read-only':
      return ['--ro-bind', mount.from, at];
    case 'writable':
      return ['--bind', mount.from, at];
    case 'device':
      return ['--dev-bind', mount.from, at];
    case 'temporary':
      return ['--size', String(mount.bytes), '--tmpfs', at];
    case 'hidden-folder':
      return ['--tmpfs', at];
    case 'hidden-file':
      return ['--ro-bind', '/dev/null', at];
    case 'link':
      return ['--symlink', mount.target, at];
    case 'folder':
      return ['--dir', at];
    case 'processes':
      return ['--proc', at];
  }
}
