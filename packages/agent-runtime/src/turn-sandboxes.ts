import { join } from 'node:path';
import { failure, type Logger, type Result, success } from '@svc/core';
import type { Capability, Slug } from '@svc/records';
import type { Sandbox, SandboxHost, SandboxSupport } from '@svc/sandbox';

/** A turn whose processes run in a sandbox. */
export interface SandboxedTurn {
  readonly project: Slug;
  /** The project folder, absolute. */
  readonly cwd: string;
  readonly capability: Pick<Capability, 'runsAs' | 'tools' | 'permissionMode'>;
  /** Name of the runtime. Its processes share a home folder in this project. */
  readonly runtime: string;
  /** Absolute paths of programs outside the system folders. */
  readonly programs: readonly string[];
  /** Absolute paths to use in the home folder: `at` is relative to it. */
  readonly logins: readonly { readonly at: string; readonly from: string }[];
}

/** The sandbox of a turn. */
export interface TurnSandbox extends Pick<Sandbox, 'folder' | 'home' | 'spawn' | 'ended'> {
  /** Kills its processes. Resolves when they have exited. */
  close(): Promise<void>;
}

/** Opens sandboxes for turns, as far as the settings require and this machine allows it. */
export interface TurnSandboxes {
  /** `auto`: turns run without a sandbox where there is none. `required`: they fail there. */
  readonly mode: 'auto' | 'required';
  /** Whether this machine can run sandboxes. */
  support(): Promise<SandboxSupport>;
  /** Opens the sandbox of a turn; null if it runs without one. The error is one sentence. */
  open(turn: SandboxedTurn): Promise<Result<TurnSandbox | null, string>>;
}

/** Options of sandboxes for turns. */
export interface TurnSandboxOptions {
  readonly mode: TurnSandboxes['mode'];
  /** The folder that stores the home folders of agents. */
  readonly homes: string;
  /** The `PATH` of turns. */
  readonly path: string;
}

const WRITING_TOOLS = ['Edit', 'Write', 'NotebookEdit', 'Bash'];
const PROTECTED = ['project.yaml', '.claude'];

/** Creates the sandboxes of turns from a host of sandboxes. */
export function createTurnSandboxes(
  deps: { readonly logger: Logger; readonly host: SandboxHost },
  { mode, homes, path }: TurnSandboxOptions,
): TurnSandboxes {
  const { host, logger } = deps;
  let isReported = false;
  const report = (reason: string): void => {
    if (!isReported) logger.warn({ reason }, 'agents run without a sandbox');
    isReported = true;
  };
  return {
    mode,
    support: () => host.support(),
    async open({ project, cwd, capability, runtime, programs, logins }) {
      const support = await host.support();
      if (!support.supported) {
        const { reason, fix } = support;
        if (mode === 'required') {
          return failure(`Sandboxes are required (agents.sandbox.mode). ${reason} ${fix}`);
        }
        report(reason);
        return success(null);
      }
      const opened = await host.open({
        folder: cwd,
        writable: mayWrite(capability),
        protectedPaths: capability.runsAs === 'keeper' ? PROTECTED : [...PROTECTED, '.svc'],
        home: join(homes, project, runtime),
        homeLinks: logins,
        path,
        programs,
        network: 'host',
      });
      if (!opened.ok) return opened;
      const { folder, home, spawn, ended, close } = opened.value;
      return success({ folder, home, spawn, ended, close: async () => void (await close()) });
    },
  };
}

function mayWrite({ tools, permissionMode }: SandboxedTurn['capability']): boolean {
  return permissionMode !== 'plan' && WRITING_TOOLS.some((tool) => tools.includes(tool));
}
