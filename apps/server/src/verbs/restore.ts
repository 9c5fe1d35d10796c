import { resolve } from 'node:path';
import {
  type ConfigReferences,
  leftOutLines,
  progressOn,
  type Restored,
  restoreBackup,
} from '@svc/backup';
import { type ExitCode, oneLine, printResult, UsageError } from '@svc/cli';
import { createSystemClock, silentLogger } from '@svc/core';
import { USER } from '@svc/ops';
import { createFileLocks } from '@svc/projects';
import { resolveSettings } from '@svc/settings';
import { takeHomeLock } from '../home-lock.ts';
import type { VerbContext } from '../verb-context.ts';
import { untilStopped } from './backup.ts';

/** Creates a home from a backup. */
export async function restoreVerb(context: VerbContext): Promise<ExitCode> {
  const { home, options, terminal, version } = context;
  if (options['home'] === undefined) {
    throw new UsageError('restore needs --home: svc restore FILE --home NEW.');
  }
  const file = resolve(context.arguments[0] ?? '');
  const locks = createFileLocks({ clock: createSystemClock() });
  const restored = await untilStopped(context, (signal) =>
    restoreBackup({
      ...{ root: home.root, file, version, signal, lockFile: home.lockFile },
      takeLock: () => takeHomeLock({ locks, logger: silentLogger }, home),
      readConfig: referencesIn,
      pausedBy: options['resume'] === true ? null : USER.actor.kind,
      progress: (what) => progressOn(terminal, what),
    }),
  );
  printResult(context, restored, linesOf(restored));
  return 0;
}

// Errors in the configuration are reported by the next start.
function referencesIn(config: string | null): ConfigReferences {
  const resolved = resolveSettings({ flags: {}, env: {}, file: config });
  if (!resolved.ok) return { projectsDir: null, secretFiles: [] };
  const { projects, envFile, server } = resolved.settings;
  const { tls } = server;
  const envFiles = envFile === null ? [] : [`${envFile} (mode 600)`];
  const tlsFiles = tls === null ? [] : [tls.certFile, tls.keyFile];
  return { projectsDir: projects.dir, secretFiles: [...envFiles, ...tlsFiles] };
}

function linesOf({ home, createdAt, ...restored }: Restored): string[] {
  const { database, projects, projectsFolder, projectsNamed, paused } = restored;
  const { variables, secretFiles, leftOut } = restored;
  const what = `${projects} ${projects === 1 ? 'project' : 'projects'}`;
  return [
    `Restored ${home} as of ${createdAt}: ${what} in ${projectsFolder}.`,
    ...(database === 'postgres' ? [ELSEWHERE] : []),
    ...(projectsNamed === null ? [] : [namedElsewhere(projectsNamed, projectsFolder)]),
    'Copy other project files and secrets yourself.',
    ...(secretFiles.length === 0
      ? []
      : [`Files that svc needs to start: ${secretFiles.map(oneLine).join(', ')}.`]),
    ...(variables.length === 0
      ? []
      : [`Environment variables that the configuration needs: ${variables.join(', ')}.`]),
    ...leftOutLines(leftOut, oneLine),
    ...(database === 'none' ? [] : [SAME_ID]),
    ...(database === 'file' ? [paused ? PAUSED : RESUMED] : []),
    `Start it with: svc serve --home ${home}`,
  ];
}

const SAME_ID =
  'It has the same id as the original home, so its tokens stay valid. Run only one of the two.';
const ELSEWHERE =
  'Its database is on a PostgreSQL server and not in the backup. Restore it with pg_restore, then run svc pause.';
const PAUSED =
  'All triggers are paused until svc resume, because runs since the backup are unknown. Skipped slots will not run later.';
const RESUMED =
  'Triggers are not paused. Slots since the backup count as missed; with catchUp the newest one runs, even if it already ran.';

function namedElsewhere(named: string, folder: string): string {
  return `projects.dir is ${named}, outside the home, and was not changed. Copy the projects there from ${folder}, or remove projects.dir.`;
}
