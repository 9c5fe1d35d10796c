import type { Issue, Logger } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, Source } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';
import { hash } from '../definition.ts';
import type { PromptRemarks } from './prompt-remarks.ts';

/** A log line about a project file, without the project. */
export interface FileLine {
  readonly level: 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Logs problems and warnings of project files, once per change of a file. */
export interface FileReport {
  /** Call it for each reading of a project; null when the project was removed. Returns the lines to log. */
  read(project: Slug, snapshot: ProjectSnapshot | null): readonly FileLine[];
  /** The same if the lines for a text are already known. */
  known(project: Slug, textHash: string, lines: readonly FileLine[]): void;
  /** Call it when another server becomes the owner of a project. */
  forget(project: Slug): void;
  /** Number of invalid entries in the current files; a file that cannot be read counts as one. */
  readonly invalid: number;
}

const MOST_LOGGED = 20;

export function createFileReport(
  logger: Logger,
  remarks: Pick<PromptRemarks, 'warnings'>,
): FileReport {
  const logged = new Map<Slug, string>();
  const invalid = new Map<Slug, number>();
  const log = (project: Slug, mark: string, lines: readonly FileLine[]): void => {
    const faulty = lines.reduce((sum, line) => sum + faultyIn(line), 0);
    if (faulty > 0) invalid.set(project, faulty);
    else invalid.delete(project);
    if (logged.get(project) === mark) return;
    logged.set(project, mark);
    for (const { level, fields, message } of lines) logger[level]({ project, ...fields }, message);
  };
  return {
    read(project, snapshot) {
      if (snapshot === null) {
        logged.delete(project);
        invalid.delete(project);
        return [];
      }
      const lines = linesOn(snapshot, remarks);
      log(project, markOf(snapshot), lines);
      return lines;
    },
    known: log,
    forget: (project) => void invalid.delete(project),
    get invalid() {
      return [...invalid.values()].reduce((sum, count) => sum + count, 0);
    },
  };
}

const UNREADABLE = 'cannot read project.yaml, last valid version stays armed';
const NEVER_READ = 'cannot read project.yaml, no triggers armed';
const UNCONFIRMED = 'project.yaml must be confirmed, last version stays armed';
const ENTRY = 'invalid entry in project.yaml';
const ENTRIES = 'more invalid entries in project.yaml';

function faultyIn({ message, fields }: FileLine): number {
  if (message === ENTRIES) return Number(fields['count']);
  return [ENTRY, UNREADABLE, NEVER_READ, UNCONFIRMED].includes(message) ? 1 : 0;
}

function markOf({ text, faults }: ProjectSnapshot): string {
  return hash(text ?? faults.map((fault) => fault.message).join('\n'));
}

function linesOn(snapshot: ProjectSnapshot, remarks: Pick<PromptRemarks, 'warnings'>): FileLine[] {
  const { faults, file, isUnconfirmed } = snapshot;
  if (faults.length > 0) {
    const stays = isUnconfirmed ? UNCONFIRMED : UNREADABLE;
    const message = file === null ? NEVER_READ : stays;
    return [{ level: 'error', fields: bounded('issues', faults), message }];
  }
  if (file === null) return [];
  const { fileIssues, invalid } = file;
  const lines: FileLine[] = [];
  const warn = (fields: FileLine['fields'], message: string): void => {
    lines.push({ level: 'warn', fields, message });
  };
  if (fileIssues.length > 0) {
    warn(bounded('issues', fileIssues), 'invalid setting in project.yaml');
  }
  for (const { name, source, issues } of invalid.slice(0, MOST_LOGGED)) {
    const fields = { source, name, ...bounded('issues', issues) };
    warn(fields, ENTRY);
  }
  if (invalid.length > MOST_LOGGED) {
    warn({ count: invalid.length - MOST_LOGGED }, ENTRIES);
  }
  const warnings = warningsIn(snapshot, file, remarks);
  if (warnings.length > 0) {
    warn(bounded('warnings', warnings, MOST_LOGGED + 1), 'warnings in project.yaml');
  }
  return lines;
}

// The first ones, and the total number if there are more.
function bounded<T>(name: string, all: readonly T[], most = MOST_LOGGED): Record<string, unknown> {
  const more = all.length > most ? { count: all.length } : {};
  return { [name]: all.slice(0, most), ...more };
}

// A file has at most twenty warnings, including one with the number of the others.
function warningsIn(
  snapshot: ProjectSnapshot,
  { warnings, triggers, schedules }: ProjectFile,
  remarks: Pick<PromptRemarks, 'warnings'>,
): (Issue & { readonly entry?: string })[] {
  const of = (
    source: Source,
    [entry, declared]: [string, Parameters<PromptRemarks['warnings']>[2]],
  ) => remarks.warnings(snapshot, source, declared).map((warning) => ({ entry, ...warning }));
  return [
    ...warnings,
    ...[...triggers].flatMap((entry) => of('trigger', entry)),
    ...[...schedules].flatMap((entry) => of('schedule', entry)),
  ];
}
