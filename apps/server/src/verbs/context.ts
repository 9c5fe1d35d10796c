import type { Issue } from '@svc/core';
import type { Home } from '../home.ts';
import type { Environment } from '../instance.ts';
import type { OwnZone } from '../own-zone.ts';
import type { ManagerSettings } from '../service-manager.ts';
import type { Settings } from '../setting-table.ts';
import type { ResolvedSettings, SourcedValue } from '../settings.ts';
import type { StopWishes } from '../stop-wishes.ts';
import type { Terminal } from '../terminal.ts';

/** What every command works with. */
export interface VerbContext extends StopWishes {
  readonly home: Home;
  readonly settings: Settings;
  /** The same with where each comes from. */
  readonly sourced: ReadonlyMap<string, SourcedValue>;
  /** What is odd about the settings. */
  readonly warnings: readonly Issue[];
  /** Reads the settings again, from the same places. */
  readonly readSettings: () => Promise<ResolvedSettings>;
  readonly env: Environment;
  readonly version: string;
  readonly terminal: Terminal;
  /** Arguments after the verb. */
  readonly arguments: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  /** Values of the options that may be given several times. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
  /** Has a function called whenever the process is asked to read its configuration again. */
  readonly onReload: (reload: () => void) => void;
  /** The time zone of the process. */
  readonly ownZone: OwnZone;
  /** How what has started the process is notified. Default: it is not. */
  readonly manager?: ManagerSettings | null;
}
