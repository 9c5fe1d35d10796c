import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { Clock, Logger, Result } from '@svc/core';

/** Dependencies of sandboxes. */
export interface SandboxDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How to start processes as another user of the operating system. */
export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
  /** Program and first arguments that switch to the user and then exec the command that follows them. */
  readonly prefix: readonly [program: string, ...args: string[]];
}

/** Settings of the host of sandboxes, the same for all of them. */
export interface SandboxHostOptions {
  /** The `PATH` on which bwrap and the programs of util-linux are found. */
  readonly path: string;
  /** Absolute path of bwrap. Default: found on `path`. */
  readonly bwrap?: string | null;
  /** Absolute path of the Node program that sandboxes may use. */
  readonly node: string;
  /** An absolute folder that only this process writes to. It is created if it is missing, but not the folder above it. */
  readonly stateFolder: string;
  /** Absolute paths that do not exist in any sandbox. */
  readonly hide: readonly string[];
  /** Absolute paths that every sandbox may read. */
  readonly readOnly: readonly string[];
  /** Absolute paths that every sandbox may change. */
  readonly writable: readonly string[];
  readonly limits: SandboxLimits;
  /** The user of all processes in sandboxes; null for the user of this process. */
  readonly user: SandboxUser | null;
}

/** What all processes of one sandbox may use together. */
export interface SandboxLimits {
  /**
   * Memory in bytes. In a control group it includes temporary files; otherwise the limit applies to each temporary file
   * system as well.
   */
  readonly memoryBytes: number;
  /** Processes and threads, at least 16. */
  readonly processes: number;
  /** CPU time in milliseconds; null for no limit. */
  readonly cpuMs: number | null;
}

/** Whether this machine can run sandboxes. */
export type SandboxSupport =
  | {
      readonly supported: true;
      /** What enforces the limits: the kernel with a control group for each sandbox, or sums at intervals. */
      readonly limits: 'cgroup' | 'sums';
      /** Whether commands are refused the keyrings of the kernel, which they share with this process. */
      readonly refusesKeys: boolean;
    }
  | {
      readonly supported: false;
      /** What is missing, one sentence. */
      readonly reason: string;
      /** The command or change that adds it, one sentence. */
      readonly fix: string;
    };

/** A port of the loopback interface inside a sandbox. */
export interface SandboxPort {
  readonly port: number;
  /** Called with each connection to the port. */
  accept(socket: Duplex): void;
}

/** One sandbox to open. */
export interface SandboxSpec {
  /** The folder to work in, absolute. */
  readonly folder: string;
  /** Whether the folder can be changed. */
  readonly writable: boolean;
  /** Paths below the folder that are read-only or must not be created; `.git` is protected without being named. */
  readonly protectedPaths: readonly string[];
  /** The absolute folder that stores the home folder. It is created if it is missing. */
  readonly home: string;
  /** Paths that are linked from the home folder, for logins: `at` is relative to the home folder. */
  readonly homeLinks: readonly { readonly at: string; readonly from: string }[];
  /** The `PATH` of commands. Its folders are readable unless they are hidden. */
  readonly path: string;
  /** Absolute paths of further programs to run. Their installations are readable. */
  readonly programs: readonly string[];
  /** Further absolute paths that it may read, even if they are hidden. Default: none. */
  readonly readOnly?: readonly string[];
  /** `host` shares the network of this machine; otherwise there are only these ports on 127.0.0.1. */
  readonly network: 'host' | readonly SandboxPort[];
}

/** Options of a process in a sandbox. Its working directory is `/`. */
export interface SandboxedSpawnOptions {
  /** The complete environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: StdioOptions;
}

/** What was found when a sandbox was closed. */
export interface SandboxReport {
  /** Protected paths that the sandbox created, relative to the folder. They were moved to `movedTo`. */
  readonly created: readonly string[];
  /** The folder with these paths; null if there are none. */
  readonly movedTo: string | null;
}

/** An open sandbox. Its processes live until it is closed. */
export interface Sandbox {
  /** The real path of the folder to work in. */
  readonly folder: string;
  /** The path of the home folder in the sandbox. */
  readonly home: string;
  /**
   * Starts a process in the sandbox, in its own process group outside.
   *
   * @param program Absolute path.
   */
  spawn(program: string, args: readonly string[], options: SandboxedSpawnOptions): ChildProcess;
  /** Resolves with one sentence if the sandbox ended before it was closed: at a limit, or unexpectedly. */
  readonly ended: Promise<string>;
  /** Kills all its processes. Resolves when they have exited. */
  close(): Promise<SandboxReport>;
}

/** Opens sandboxes on this machine. */
export interface SandboxHost {
  /**
   * Verifies with a real sandbox whether this machine can run one. Later calls return the first success; a failure is
   * checked again after a minute.
   */
  support(): Promise<SandboxSupport>;
  /** Opens a sandbox. The error is one sentence. */
  open(spec: SandboxSpec): Promise<Result<Sandbox, string>>;
  /**
   * Replaces a protected file while sandboxes may have its folder open: their processes are paused until the new file is
   * protected.
   *
   * @param file Absolute path.
   */
  replace<T>(file: string, work: () => Promise<T>): Promise<T>;
  /**
   * Whether a content of a protected file certainly does not come from a sandbox. False if another program replaced the
   * file while a sandbox was open, because the sandbox may have changed the new file before that was protected.
   *
   * @param file Absolute path.
   */
  isTrusted(file: string, content: Buffer): Promise<boolean>;
  /** A person has confirmed a content of a protected file, which is trusted from now on. */
  confirm(file: string, content: Buffer): Promise<void>;
  /** Folders of `PATH` that do not exist in sandboxes. */
  hiddenFolders(path: string): Promise<readonly string[]>;
}
