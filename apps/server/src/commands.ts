import type { ExitCode } from './terminal.ts';
import { alertsVerb } from './verbs/alerts.ts';
import { backupVerb } from './verbs/backup.ts';
import { cancelVerb } from './verbs/cancel.ts';
import { chatsVerb } from './verbs/chats.ts';
import { completionVerb } from './verbs/completion.ts';
import type { VerbContext } from './verbs/context.ts';
import { doctorVerb } from './verbs/doctor.ts';
import { fireVerb } from './verbs/fire.ts';
import { importVerb } from './verbs/import.ts';
import { initVerb } from './verbs/init.ts';
import { logsVerb } from './verbs/logs.ts';
import { migrateStoreVerb } from './verbs/migrate-store.ts';
import { openVerb } from './verbs/open.ts';
import { pauseVerb, resumeVerb } from './verbs/pause.ts';
import { previewVerb } from './verbs/preview.ts';
import { restoreVerb } from './verbs/restore.ts';
import { runsVerb } from './verbs/runs.ts';
import { sendVerb } from './verbs/send.ts';
import { serveVerb } from './verbs/serve.ts';
import { showVerb } from './verbs/show.ts';
import { simulateVerb } from './verbs/simulate.ts';
import { statusVerb } from './verbs/status.ts';
import { tokenVerb } from './verbs/token.ts';
import { triggersVerb } from './verbs/triggers.ts';
import { validateVerb } from './verbs/validate.ts';
import { whyVerb } from './verbs/why.ts';

/** Kinds of arguments, for completion. */
export type ArgumentKind =
  | 'project'
  | 'trigger'
  | 'folder'
  | 'file'
  | 'command'
  | readonly string[];

/** A command. */
export interface Command {
  run(context: VerbContext): ExitCode | Promise<ExitCode>;
  /** Names of its options besides the common ones. */
  readonly options: readonly string[];
  /** Its arguments, in order. */
  readonly takes: readonly ArgumentKind[];
  /**
   * How long it may take to stop after a request, in milliseconds; then, or at a second request, it is abandoned.
   * `Infinity`: it decides itself. Default: 0.
   */
  readonly stopsWithinMs?: number;
}

// Time for a command to report how far it got, which an unresponsive server can delay.
const REPORTS_WITHIN_MS = 2_000;
// Time for a command to remove incomplete files.
const CLEANS_UP_WITHIN_MS = 20_000;

/** Options of commands that work with a running server, including a remote one. */
const REMOTE = ['url', 'token', 'json'];

const ONE = ['project', 'trigger'] as const;

/** Commands by name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: {
    stopsWithinMs: Number.POSITIVE_INFINITY,
    run: serveVerb,
    options: ['host', 'port', 'init', 'log-level', 'log-format'],
    takes: [],
  },
  init: {
    run: initVerb,
    options: ['runtime', 'model', 'base-url', 'command', 'protocol', 'json'],
    takes: ['folder'],
  },
  doctor: { run: doctorVerb, options: ['json'], takes: [] },
  status: { run: statusVerb, options: REMOTE, takes: [] },
  open: { run: openVerb, options: [...REMOTE, 'print'], takes: [] },
  logs: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: logsVerb,
    options: [...REMOTE, 'follow', 'lines', 'level'],
    takes: [],
  },
  triggers: { run: triggersVerb, options: REMOTE, takes: ['project'] },
  runs: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: runsVerb,
    options: [...REMOTE, 'follow', 'failed', 'limit'],
    takes: ONE,
  },
  show: { run: showVerb, options: REMOTE, takes: [] },
  why: { run: whyVerb, options: [...REMOTE, 'at', 'source'], takes: ONE },
  fire: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: fireVerb,
    options: [...REMOTE, 'wait', 'timeout', 'event'],
    takes: ONE,
  },
  chats: { run: chatsVerb, options: [...REMOTE, 'all', 'limit'], takes: ['project'] },
  send: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: sendVerb,
    options: [...REMOTE, 'new', 'wait'],
    takes: ['project'],
  },
  cancel: { run: cancelVerb, options: REMOTE, takes: ['project'] },
  pause: { run: pauseVerb, options: [...REMOTE, 'reason', 'stop-running'], takes: [] },
  resume: { run: resumeVerb, options: REMOTE, takes: ONE },
  validate: { run: validateVerb, options: ['json'], takes: ['project'] },
  simulate: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: simulateVerb,
    options: ['from', 'days', 'duration', 'cost', 'all', 'fail-on', 'json'],
    takes: ['project'],
  },
  import: {
    stopsWithinMs: REPORTS_WITHIN_MS,
    run: importVerb,
    options: ['project', 'system', 'dry-run', 'json'],
    takes: [['crontab', 'github-workflow'], 'file'],
  },
  preview: { run: previewVerb, options: ['timezone', 'count', 'json'], takes: [] },
  alerts: { run: alertsVerb, options: REMOTE, takes: [['test']] },
  token: { run: tokenVerb, options: ['json'], takes: [['new', 'check']] },
  backup: {
    stopsWithinMs: CLEANS_UP_WITHIN_MS,
    run: backupVerb,
    options: ['force', 'json'],
    takes: ['file'],
  },
  restore: {
    stopsWithinMs: CLEANS_UP_WITHIN_MS,
    run: restoreVerb,
    options: ['resume', 'json'],
    takes: ['file'],
  },
  'migrate-store': {
    stopsWithinMs: CLEANS_UP_WITHIN_MS,
    run: migrateStoreVerb,
    options: ['from', 'to', 'json'],
    takes: [],
  },
  completion: { run: completionVerb, options: [], takes: [['bash', 'zsh', 'fish']] },
};

/** Options of every command. */
export const EVERYWHERE: readonly string[] = ['home', 'config', 'help', 'version'];

/** All options, in the form of `parseArgs` of Node. */
export const OPTIONS = {
  home: { type: 'string' },
  config: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'log-level': { type: 'string' },
  'log-format': { type: 'string' },
  timezone: { type: 'string' },
  count: { type: 'string' },
  runtime: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  command: { type: 'string' },
  protocol: { type: 'string' },
  event: { type: 'string' },
  reason: { type: 'string' },
  at: { type: 'string' },
  source: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  days: { type: 'string' },
  duration: { type: 'string', multiple: true },
  cost: { type: 'string', multiple: true },
  'fail-on': { type: 'string' },
  project: { type: 'string' },
  system: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  timeout: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  limit: { type: 'string' },
  lines: { type: 'string' },
  level: { type: 'string' },
  'stop-running': { type: 'boolean' },
  all: { type: 'boolean' },
  failed: { type: 'boolean' },
  follow: { type: 'boolean', short: 'f' },
  force: { type: 'boolean' },
  init: { type: 'boolean' },
  json: { type: 'boolean' },
  new: { type: 'boolean' },
  print: { type: 'boolean' },
  resume: { type: 'boolean' },
  wait: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;
