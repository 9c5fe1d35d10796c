import type { EngineDeps, EngineSettings } from '@svc/engine';
import type { Scope } from '@svc/mgmt-auth';
import type { AlertPort } from './alerting.ts';

/** An effective setting. */
export interface EffectiveSetting {
  /** As written in the file; null if it is not set and has no default. Never a secret. */
  readonly value: string | number | boolean | null | readonly string[];
  readonly source: 'default' | 'file' | 'environment' | 'flag';
}

/** The effective configuration, without secrets. */
export interface EffectiveSettings {
  /** By name in the file. */
  readonly settings: Readonly<Record<string, EffectiveSetting>>;
  /** Clients of `/mcp` with their scopes. */
  readonly clients: readonly { readonly clientId: string; readonly scope: Scope }[];
}

/** Log lines of a process, oldest first. */
export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Pass as `after` to get later lines. */
  readonly last: number;
  /** Number of lines after `after` that are no longer kept. */
  readonly dropped: number;
}

/** A log line: `time` (UTC ISO text), `level` (10 trace to 60 fatal), `msg`, and fields. */
type LogLine = Readonly<Record<string, unknown>>;

/** A buffer of the newest log lines. */
export interface LogTail {
  /** Up to `most` lines after number `after`, or, with null, the newest ones; oldest first. */
  read(after: number | null, most: number): LogPage;
}

/** Why agents run without a sandbox, cannot start in a required one, or run in one whose network is not limited. */
export interface SandboxLack {
  /** What is missing and how to add it. */
  readonly reason: string;
  /** Whether the settings ask for it. */
  readonly intended: boolean;
  /** Whether a sandbox is required, so that turns that need one fail instead. */
  readonly required: boolean;
}

/** Dependencies of the operations; each is a port that tests can replace. */
export interface OpsDeps extends EngineDeps {
  /** The effective settings. Default: none. */
  readonly effectiveSettings?: () => EffectiveSettings;
  /** The newest log lines of this process. Default: none. */
  readonly logTail?: LogTail;
  /** Alert delivery. Default: none. */
  readonly alerts?: AlertPort;
  /** Why agents are not sandboxed; null if they are. Default: null. */
  readonly sandboxLack?: SandboxLack | null;
}

/** Settings that decide which operations keepers have as tools. They do not apply to external clients. */
export interface KeeperGates {
  /** Read operations. */
  readonly read: boolean;
  /** Write operations in the keeper's own project; requires `read`. */
  readonly write: boolean;
  /** `create_project`, and write operations in other projects; requires `write`. */
  readonly projects: boolean;
  /** Trigger operations, unless the project enables them itself; requires `write`. */
  readonly hooks: boolean;
}

/** Settings of the operations. */
export interface OpsSettings extends Omit<EngineSettings, 'keeperTools' | 'toolPolicy'> {
  /** Which operations keepers have as tools. */
  readonly keeperGates: KeeperGates;
}
