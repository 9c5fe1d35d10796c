import type { Issue } from '@svc/core';
import type { Home } from '../home.ts';
import type { Environment } from '../instance.ts';
import type { ProcessTimeZone } from '../process-time-zone.ts';
import type { ManagerSettings } from '../service-manager.ts';
import type { Settings } from '../setting-table.ts';
import type { ResolvedSettings, SourcedValue } from '../settings.ts';
import type { StopRequests } from '../shutdown-signals.ts';
import type { Terminal } from '../terminal.ts';

/** Input of every command. */
export interface VerbContext extends StopRequests {
  readonly home: Home;
  readonly settings: Settings;
  /** The settings by key, with their sources. */
  readonly sourced: ReadonlyMap<string, SourcedValue>;
  /** Warnings about the settings. */
  readonly warnings: readonly Issue[];
  /** Resolves the settings again from the same sources. */
  readonly readSettings: () => Promise<ResolvedSettings>;
  readonly env: Environment;
  readonly version: string;
  readonly terminal: Terminal;
  /** Arguments after the command. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Values of options that can be repeated. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
  /** Registers a function that is called whenever the process is asked to reload its configuration. */
  readonly onReload: (reload: () => void) => void;
  /** The time zone of the process. */
  readonly processZone: ProcessTimeZone;
  /** Connection to the service manager. Default: none. */
  readonly manager?: ManagerSettings | null;
}
