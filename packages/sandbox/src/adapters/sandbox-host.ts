import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, createKeyedMutex, failure, type Result } from '@svc/core';
import { isWithin } from '../mounts.ts';
import type {
  SandboxDeps,
  SandboxHost,
  SandboxHostOptions,
  SandboxSpec,
  SandboxSupport,
} from '../sandbox.ts';
import { type ControlGroups, openControlGroups } from './cgroups.ts';
import { findPrograms } from './find-programs.ts';
import { pathFolders } from './installations.ts';
import { makeFolder } from './make-folder.ts';
import type { Programs } from './namespaces.ts';
import { type OpenedSandbox, openSandbox, STARTING } from './open-sandbox.ts';
import { copyPublicFiles } from './public-files.ts';
import { createReadableMounts } from './readable-mounts.ts';
import { realPaths } from './sandbox-mounts.ts';
import { checkSupport } from './self-test.ts';

// How long a copy of `/etc` is used before it is compared with the original again.
const COPY_AGE_MS = 60_000;
// After this time a machine that could not run sandboxes is checked again.
const RETRY_MS = 60_000;

/** Creates the host of sandboxes on this machine. Starts nothing yet. */
export function createSandboxHost(deps: SandboxDeps, options: SandboxHostOptions): SandboxHost {
  const { stateFolder } = options;
  const missing = `the folder ${dirname(stateFolder)} does not exist.`;
  const open = new Set<OpenedSandbox>();
  const doubts = createDoubts();
  const readable = createReadableMounts(options.user);
  let opening: Promise<ControlGroups | null> | null = null;
  const groups = (): Promise<ControlGroups | null> => {
    opening ??= openControlGroups();
    return opening;
  };
  const etc = createCopyOfEtc(deps.clock, options);
  // A file that is replaced while a sandbox is being opened would lose its protection there.
  const { run: inTurn } = createKeyedMutex();
  const affectedBy = (changed: string): readonly OpenedSandbox[] =>
    [...open].filter(({ folder }) => folder === changed);
  let known: Promise<SandboxSupport> | null = null;
  const openWith = async (
    programs: Programs,
    spec: SandboxSpec,
  ): Promise<Result<OpenedSandbox, string>> => {
    if (!(await createState(stateFolder))) return failure(`${STARTING}${missing}`);
    await etc.update();
    const parts = { ...deps, programs, etc: etc.folder, readable, groups: await groups() };
    return openSandbox(parts, options, spec);
  };
  let checkedAt: number | null = null;
  const check = async (): Promise<SandboxSupport> => {
    checkedAt = null;
    const limits = async () => ((await groups()) === null ? 'sums' : 'cgroup');
    const support: SandboxSupport = (await createState(stateFolder))
      ? await checkSupport(options, openWith, limits)
      : { supported: false, reason: `Sandboxes have no state: ${missing}`, fix: 'Restore it.' };
    if (!support.supported) checkedAt = deps.clock.mono();
    return support;
  };
  const host: SandboxHost = {
    support() {
      const isOld = checkedAt !== null && deps.clock.mono() - checkedAt > RETRY_MS;
      if (known === null || isOld) known = check();
      return known;
    },
    async open(spec) {
      const support = await host.support();
      if (!support.supported) return failure(`${support.reason} ${support.fix}`);
      const programs = findPrograms(options.path, options.bwrap ?? null);
      if ('supported' in programs) return failure(`${programs.reason} ${programs.fix}`);
      return inTurn(await realOr(spec.folder), async () => {
        const opened = await openWith(programs, spec);
        if (!opened.ok) return opened;
        open.add(opened.value);
        void opened.value.closed.then(() => open.delete(opened.value));
        doubts.add(opened.value);
        return opened;
      });
    },
    async replace(file, work) {
      const changed = await realOr(dirname(file));
      return inTurn(changed, () => replaceIn(affectedBy(changed), work));
    },
    isTrusted: async (file, content) =>
      doubts.isTrusted(await realFile(file), content, (sandbox) => open.has(sandbox)),
    confirm: async (file, content) => doubts.confirm(await realFile(file), content),
    async hiddenFolders(path) {
      const hide = await realPaths(options.hide);
      const folders = await realPaths(pathFolders(path));
      return folders.filter((folder) => hide.some((hidden) => isWithin(folder, hidden)));
    },
  };
  return host;
}

// Returns false if the folder above it is missing.
function createState(folder: string): Promise<boolean> {
  return makeFolder(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

function replaceIn<T>(
  [first, ...others]: readonly OpenedSandbox[],
  work: () => Promise<T>,
): Promise<T> {
  return first === undefined ? work() : first.whilePaused(() => replaceIn(others, work));
}

interface Doubts {
  add(sandbox: OpenedSandbox): void;
  isTrusted(
    file: string,
    content: Buffer,
    isOpen: (sandbox: OpenedSandbox) => boolean,
  ): Promise<boolean>;
  confirm(file: string, content: Buffer): void;
}

// Sandboxes that are open, or that may have changed a protected file before they ended.
function createDoubts(): Doubts {
  const sandboxes = new Set<OpenedSandbox>();
  const forgetIfClean = (sandbox: OpenedSandbox): void => {
    const isClean = [...sandbox.files.values()].every((trust) => trust.trustsPresent());
    if (isClean) sandboxes.delete(sandbox);
  };
  return {
    add(sandbox) {
      if (sandbox.files.size === 0) return;
      sandboxes.add(sandbox);
      void sandbox.closed.then(() => forgetIfClean(sandbox));
    },
    async isTrusted(file, content, isOpen) {
      for (const sandbox of sandboxes) {
        const trust = sandbox.files.get(file);
        if (trust === undefined) continue;
        if (isOpen(sandbox)) await sandbox.check();
        if (!trust.trusts(content)) return false;
        if (!isOpen(sandbox)) sandboxes.delete(sandbox);
      }
      return true;
    },
    confirm(file, content) {
      for (const sandbox of sandboxes) {
        sandbox.files.get(file)?.confirm(content);
        void sandbox.closed.then(() => forgetIfClean(sandbox));
      }
    },
  };
}

async function realFile(file: string): Promise<string> {
  return join(await realOr(dirname(file)), basename(file));
}

function realOr(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

function createCopyOfEtc(
  clock: Clock,
  { stateFolder, hide }: SandboxHostOptions,
): { readonly folder: string; update(): Promise<void> } {
  const folder = join(stateFolder, 'etc');
  let updating: Promise<void> | null = null;
  let updatedAt: number | null = null;
  const start = async (): Promise<void> => {
    const hidden = await realPaths(hide);
    await copyPublicFiles(clock, '/etc', folder, (path) =>
      hidden.some((one) => isWithin(path, one)),
    );
    updatedAt = clock.mono();
  };
  return {
    folder,
    async update() {
      if (updatedAt !== null && clock.mono() - updatedAt < COPY_AGE_MS) return;
      updating ??= start().finally(() => {
        updating = null;
      });
      // A turn does not wait for a newer copy.
      if (updatedAt === null) await updating;
      else updating.catch(() => {});
    },
  };
}
