import type { PromptRemarks } from '@svc/engine';
import type { ManagementReport } from '@svc/mgmt-auth';
import type { ProjectRules } from '@svc/trigger-schema';
import type { Fetch } from './peer.ts';
import type { Terminal } from './terminal.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The stop requests of the process. */
export interface StopRequests {
  /** Resolves at the first request: stop gracefully. */
  readonly stopRequested: Promise<void>;
  /** Resolves at the second request: stop at once. */
  readonly stopAtOnce: Promise<void>;
}

/** A parsed command line, and where to print. */
export interface CommandLine extends StopRequests {
  readonly terminal: Terminal;
  /** Version of the program. */
  readonly version: string;
  /** Arguments after the command. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Values of options that can be repeated. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
}

/** Input of every command. */
export interface CommandContext extends CommandLine {
  readonly env: Environment;
  readonly service: HomeService;
  readonly projects: HomeProjects;
  readonly management: ManagementAccess;
  readonly limits: Limits;
}

/** A running server. */
export interface Server {
  /** Its address. */
  readonly url: string;
  readonly fetch: Fetch;
  /** Lines that say where it keeps its data. Default: unknown. */
  readonly places?: () => Promise<readonly string[]>;
}

/** A home that was opened in this process. */
export interface OpenHome {
  /** Answers requests like a server. */
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** The service of the home. */
export interface HomeService {
  /** The running server; null: none runs. */
  running(): Promise<Server | null>;
  /** Rejects if there is no home to run a server in. */
  require(): Promise<void>;
  /**
   * Opens the home in this process, because no server runs. Rejects if that is not possible.
   *
   * @param options `runsTurns`: run queued turns, and let them end when the home is closed
   */
  open(options: { readonly runsTurns: boolean }): Promise<OpenHome>;
}

/** The projects of the home, for commands that work on their files. */
export interface HomeProjects {
  /**
   * Their folder. Rejects if the home cannot be used.
   *
   * @param options `isRequired`: the folder must exist. Default: false
   */
  folder(options?: { readonly isRequired?: boolean }): Promise<string>;
  /** The rules of the home for project files. */
  rules(): Promise<ProjectRules>;
  /** Checks prompts for the runtimes of the home, without starting them. */
  promptRemarks(): Promise<PromptRemarks>;
}

/** The configuration of the clients of `/mcp`. */
export interface ManagementAccess {
  /** The setting `managementApi`, as written. */
  readonly settings: unknown;
  readonly configFile: string;
  /** The file with tokens; null: none is configured. */
  readonly envFile: string | null;
  /** The state of each client. Rejects if the home or a file cannot be used. */
  report(): Promise<ManagementReport>;
}

/** The limits of the home, for forecasts. */
export interface Limits {
  readonly concurrentTurns: number;
  readonly concurrentTurnsPerProject: number;
  readonly firesPerDay: number | null;
  readonly costPerDayUsd: number | null;
  readonly turnTimeoutMs: number;
}
