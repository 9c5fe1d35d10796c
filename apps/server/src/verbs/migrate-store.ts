import { stat } from 'node:fs/promises';
import { CommandError, type ExitCode, printResult, UsageError } from '@svc/cli';
import { createSystemClock, silentLogger } from '@svc/core';
import { createFileLocks } from '@svc/projects';
import { shownAddress } from '@svc/settings';
import { type CopiedStore, copyStore, StoreError } from '@svc/store';
import { type Home, requireFolder } from '../home.ts';
import { takeHomeLock } from '../home-lock.ts';
import { namingOwner } from '../instance-file.ts';
import type { VerbContext } from '../verb-context.ts';

/** Copies the embedded database to the configured database server. */
export async function migrateStoreVerb(context: VerbContext): Promise<ExitCode> {
  const { home, settings, options } = context;
  if (options['from'] !== 'embedded' || options['to'] !== 'postgres') {
    throw new UsageError(
      'migrate-store supports one direction: svc migrate-store --from embedded --to postgres.',
    );
  }
  const { url, setting } = settings.database;
  if (url === null) {
    const way = 'set database.url in svc.config.yaml, or SVC_DATABASE_URL';
    throw new CommandError(`No target database is configured: ${way}.`);
  }
  await requireFolder(home);
  const to = { url, setting };
  const copied = await Promise.race([copyFrom(home, to, context), stopped(context)]);
  const result = {
    isNew: copied.isNew,
    rows: copied.rows,
    from: home.database,
    to: shownAddress(url),
  };
  printResult(context, result, [...summary(copied, home, url), ...nextSteps(home, setting)]);
  return 0;
}

async function copyFrom(
  home: Home,
  to: { readonly url: string; readonly setting: string },
  { terminal, version }: VerbContext,
): Promise<CopiedStore> {
  const clock = createSystemClock();
  const locks = createFileLocks({ clock });
  const taken = takeHomeLock({ locks, logger: silentLogger }, home);
  const lock = await taken.catch(async (error: unknown) => {
    throw await namingOwner(home, error);
  });
  try {
    await requireDatabase(home);
    const onProgress = terminal.isTerminal ? progressOn(terminal) : () => {};
    return await copyStore({ clock }, { file: home.database, ...to, version, onProgress });
  } catch (error) {
    throw inUse(error, to.setting) ?? error;
  } finally {
    await lock.release();
  }
}

// The row counts help the user to recognize what uses the database.
function inUse(error: unknown, setting: string): CommandError | null {
  if (!(error instanceof StoreError) || error.code !== 'not_empty') return null;
  const rows = error.facts['rows'] as Readonly<Record<string, number>>;
  const counts = ['chat', 'run'].map((table) => `${nameOf(table)}: ${rows[table] ?? 0}`);
  return new CommandError(
    `The database in ${setting} is not empty (${counts.join(', ')}). Use an empty one. If its data may be lost, stop every svc that uses it, then drop and create it.`,
  );
}

// Opening a missing database would create it.
async function requireDatabase({ database, root }: Home): Promise<void> {
  const isThere = await stat(database).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isThere)
    throw new CommandError(`${root} has no embedded database: ${database} does not exist.`);
}

async function stopped({ stopRequested }: VerbContext): Promise<never> {
  await stopRequested;
  throw new CommandError('Stopped. Run the command again to complete the migration.');
}

const NAMES: Readonly<Record<string, string>> = {
  chat: 'chats',
  turn: 'turns',
  message_ref: 'messages',
  content: 'message texts',
  run: 'runs',
  pruned_slot: 'slots of pruned runs',
  event: 'events',
  trigger_state: 'trigger states',
  trigger_bound: 'trigger limits',
  trigger_change: 'trigger changes',
  trigger_known: 'known triggers',
  change_note: 'change notes',
  usage_day: 'usage by day',
  outcome_day: 'outcomes by day',
  alert_state: 'alerts',
  delivery: 'alert deliveries',
  session: 'login sessions',
};

const nameOf = (table: string): string => NAMES[table] ?? table;

function progressOn(terminal: VerbContext['terminal']) {
  let last = '';
  return ({ table }: { readonly table: string }): void => {
    if (table !== last) terminal.error(`Copying ${nameOf(table)} …`);
    last = table;
  };
}

function summary({ isNew, rows }: CopiedStore, home: Home, url: string): string[] {
  const to = shownAddress(url);
  const counts = Object.entries(NAMES).flatMap(([table, name]) => {
    const count = rows[table] ?? 0;
    return count === 0 ? [] : [`  ${name.padEnd(22)} ${count.toLocaleString('en').padStart(12)}`];
  });
  const head = isNew
    ? `Copied from ${home.database} to ${to}:`
    : `${to} already contains everything in ${home.database}. Nothing was changed. It contains:`;
  return [head, ...counts];
}

function nextSteps(home: Home, setting: string): string[] {
  return [
    `Start svc with: svc serve --home ${home.root}, and keep ${setting} set.`,
    `${home.database} was not changed, and is not used while ${setting} is set. Keep it until you have checked the migration.`,
  ];
}
