import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import {
  type Checked,
  counted,
  createSystemClock,
  failure,
  type Issue,
  invalid,
  sentenceOf,
  sentencesOf,
  silentLogger,
  success,
} from '@svc/core';
import { createProjects, type Decision, decodeUtf8 } from '@svc/projects';
import {
  isReservedTriggerName,
  MOST_ENTRIES,
  type NewTrigger,
  type ProjectFile,
  type ProjectRules,
  validateTrigger,
} from '@svc/trigger-schema';
import type { CommandContext } from '../context.ts';
import { asksForJson, printResult } from '../print-result.ts';
import { readLimited } from '../read-limited.ts';
import { CommandError, type ExitCode, UsageError } from '../terminal.ts';
import { namesUsers, readCrontab } from './crontab.ts';
import { freeName, type Imported } from './imported.ts';
import { readWorkflow } from './workflow.ts';

/** Adds the schedules of another program to a project as disabled triggers. */
export async function runImport(context: CommandContext): Promise<ExitCode> {
  const { options } = context;
  const [kind = '', file = ''] = context.arguments;
  const project = options['project'];
  if (typeof project !== 'string') throw new UsageError('import requires --project PROJECT.');
  if (options['system'] === true && kind !== 'crontab') {
    throw new UsageError('--system requires crontab.');
  }
  const stopped = context.stopRequested.then((): never => {
    throw new CommandError('Stopped. Nothing was written.');
  });
  const input = await Promise.race([readInput(file), stopped]);
  const read = readImported(kind, input, file, options['system'] === true);
  if (!read.ok) throw new CommandError(faultsText(file, read.issues));
  const rules = await context.projects.rules();
  requireFit(file, read.value);
  const { triggers, notes } = withinRules(read.value, rules);
  if (triggers.length === 0) {
    for (const note of notes) context.terminal.error(note);
    throw new CommandError(`${file} has nothing that can be imported as a trigger.`);
  }
  const root = await context.projects.folder({ isRequired: true });
  const projects = createProjects(
    { clock: createSystemClock(), logger: silentLogger },
    { root, validation: rules },
  );
  const isTrial = options['dry-run'] === true;
  const change = (now: ProjectFile) => decided(now, { triggers, notes });
  const made = isTrial
    ? await projects.previewEdit(project, change)
    : await projects.edit(project, change);
  await projects.close();
  if (!made.ok) throw new CommandError(refusal(project, made.error));
  const written = 'after' in made.value ? addedLines(made.value.before, made.value.after) : null;
  printOutcome(context, { project, added: made.value.value, notes, written });
  return 0;
}

// Issues in one line, with their positions.
function faultsText(file: string, issues: readonly Issue[]): string {
  return issues
    .map((issue) => {
      const { line, column } = issue;
      const place = line === undefined ? '' : `:${line}:${column ?? 1}:`;
      return `${file}${place} ${sentenceOf(issue, '').trim()}`;
    })
    .join(' ');
}

interface Refusal {
  readonly message: string;
  readonly issues?: Parameters<typeof sentencesOf>[0];
}

function refusal(project: string, { message, issues = [] }: Refusal): string {
  return [
    `${project}: ${message}`,
    ...(issues.length > 0 ? [sentencesOf(issues, 'The file')] : []),
  ].join(' ');
}

interface Added {
  readonly name: string;
  /** The suggested name; different from `name` if it was already taken. */
  readonly wanted: string;
  readonly schedule: string;
  readonly timezone: string | null;
}

interface Outcome {
  readonly project: string;
  readonly added: readonly Added[];
  readonly notes: readonly string[];
  /** The lines that a dry run would write; null if they were written. */
  readonly written: string | null;
}

function printOutcome(context: CommandContext, { project, added, notes, written }: Outcome): void {
  const shown = added.map(({ wanted, ...one }) => ({
    ...one,
    renamedFrom: wanted === one.name ? null : wanted,
  }));
  const made = { project, dryRun: written !== null, added: shown, notes };
  const value = written === null ? made : { ...made, text: written };
  const lines = added.map(({ name, wanted, schedule, timezone }) => {
    const renamed = name === wanted ? '' : `, because a trigger ${wanted} already exists`;
    return `${project}/${name}: ${schedule}${timezone === null ? '' : ` ${timezone}`}${renamed}`;
  });
  const did =
    written === null
      ? 'added and disabled. Enable those you want to fire.'
      : 'would be added. Nothing was written.';
  printResult(context, value, [
    ...(written === null ? [] : [...written.trimEnd().split('\n'), '']),
    ...lines,
    `${counted(added.length, 'trigger')} ${did}`,
  ]);
  if (written === null && !asksForJson(context))
    for (const note of notes) context.terminal.error(note);
}

const MAX_BYTES = 1024 * 1024;

// Each schedule of a workflow repeats all of its steps, so a small file can expand to gigabytes.
function requireFit(file: string, { triggers }: Imported): void {
  const length = triggers.reduce((sum, { record }) => {
    const { prompt } = record.run as { readonly prompt: string };
    return sum + prompt.length;
  }, 0);
  if (triggers.length > MOST_ENTRIES || length > MAX_BYTES) {
    throw new CommandError(
      `${file} would create ${counted(triggers.length, 'trigger')}, which do not fit in one project: at most ${MOST_ENTRIES} and 1 MiB of prompts. Split the file.`,
    );
  }
}

async function readInput(file: string): Promise<string> {
  const isInput = file === '-';
  const what = isInput ? 'Standard input' : file;
  const limit = { most: MAX_BYTES, limit: '1 MiB' };
  const bytes = await readLimited(isInput ? process.stdin : createReadStream(file), what, limit);
  const text = decodeUtf8(bytes);
  if (text.ok) return text.value;
  const { line = 1 } = text.issues[0] ?? {};
  throw new CommandError(
    `${what} is not UTF-8 text (line ${line}). Convert it, for example with iconv -f latin1 -t utf-8.`,
  );
}

function readImported(
  kind: string,
  text: string,
  given: string,
  hasUser: boolean,
): Checked<Imported> {
  const file = given === '-' ? 'standard input' : basename(given);
  if (kind === 'github-workflow') return readWorkflow(text, file);
  if (!hasUser && namesUsers(text, given)) {
    const message = 'is a system crontab: its lines name a user. Add --system.';
    return invalid({ path: '', message });
  }
  return success(readCrontab(text, { file, hasUser }));
}

/** The triggers that the rules of the home allow; the others become notes. */
function withinRules({ triggers, notes }: Imported, rules: ProjectRules): Imported {
  const refused: string[] = [];
  const kept = triggers.filter(({ name, record, comment }) => {
    const judged = validateTrigger(record, { ...rules, unenforcedLimits: 'warn' });
    if (judged.ok) return true;
    refused.push(`${comment[0] ?? name} Not imported. ${sentencesOf(judged.issues, 'It')}`);
    return false;
  });
  return { triggers: kept, notes: [...refused, ...notes] };
}

type Planned = Decision<readonly Added[]>;

function decided(now: ProjectFile, { triggers, notes }: Imported) {
  if (now.entryCount + triggers.length > MOST_ENTRIES) {
    const message = `A project can have at most ${MOST_ENTRIES} active triggers and schedules, and this one has ${now.entryCount}. Use another project.`;
    return failure({ message });
  }
  const taken = new Set([...now.written.keys(), ...now.beyond, ...now.schedules.keys()]);
  for (const { name } of now.invalid) taken.add(name);
  const added: Added[] = [];
  const add = triggers.map(({ name: wanted, record, comment }, n): NewTrigger => {
    const name = freeName(wanted, (one) => taken.has(one) || isReservedTriggerName(one));
    taken.add(name);
    const { cron, timezone = null } = record.trigger as { cron: string; timezone?: string };
    added.push({ name, wanted, schedule: cron, timezone });
    return { name, record, comment: n === 0 ? [...notes, ...comment] : comment };
  });
  return success<Planned>({ edit: { add }, value: added });
}

/** The lines that an edit has added. */
function addedLines(before: string, after: string): string {
  const [was, is] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < was.length && was[from] === is[from]) from += 1;
  let end = 0;
  while (end < was.length - from && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  return is.slice(from, is.length - end).join('\n');
}
