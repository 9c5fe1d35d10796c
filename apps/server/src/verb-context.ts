import type { CommandContext, Environment } from '@svc/cli';
import type { Issue } from '@svc/core';
import type { ResolvedSettings, Settings, SourcedValue } from '@svc/settings';
import type { Home } from './home.ts';
import type { ProcessTimeZone } from './process-time-zone.ts';
import type { ManagerSettings } from './service-manager.ts';

/** What commands know about their process. */
export interface ProcessFacts {
  readonly env: Environment;
  /** Registers a function that is called whenever the process is asked to reload its configuration. */
  readonly onReload: (reload: () => void) => void;
  /** The time zone of the process. */
  readonly processZone: ProcessTimeZone;
  /** Connection to the service manager. Default: none. */
  readonly manager?: ManagerSettings | null;
}

/** Input of every command. */
export interface VerbContext extends CommandContext, ProcessFacts {
  readonly env: Environment;
  readonly home: Home;
  readonly settings: Settings;
  /** The settings by key, with their sources. */
  readonly sourced: ReadonlyMap<string, SourcedValue>;
  /** Warnings about the settings. */
  readonly warnings: readonly Issue[];
  /** Resolves the settings again from the same sources. */
  readonly readSettings: () => Promise<ResolvedSettings>;
}

/** What a home is opened with in this process. */
export type LocalHomeParts = Pick<
  VerbContext,
  'home' | 'settings' | 'env' | 'version' | 'terminal' | 'stopAtOnce'
>;
