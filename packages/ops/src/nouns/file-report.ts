import { createHash } from 'node:crypto';
import type { Issue, Logger } from '@svc/core';
import type { ProjectSnapshot } from '@svc/projects';
import type { Slug, Source } from '@svc/records';
import type { ProjectFile } from '@svc/trigger-schema';
import { entryWarnings } from './prompt-warnings.ts';

/** Tells the log what is wrong or odd about project files, once for each change of a file. */
export interface FileReport {
  /** To be called with each reading of a project; null when the project is gone. */
  read(project: Slug, snapshot: ProjectSnapshot | null): void;
}

const MOST_TOLD = 20;

export function createFileReport(logger: Logger): FileReport {
  const told = new Map<Slug, string>();
  return {
    read(project, snapshot) {
      if (snapshot === null) {
        told.delete(project);
        return;
      }
      const mark = markOf(snapshot);
      if (told.get(project) === mark) return;
      told.set(project, mark);
      tell(logger, project, snapshot);
    },
  };
}

function markOf({ text, faults }: ProjectSnapshot): string {
  const read = text ?? faults.map((fault) => fault.message).join('\n');
  return createHash('sha256').update(read).digest('base64');
}

function tell(logger: Logger, project: Slug, snapshot: ProjectSnapshot): void {
  const { faults, file } = snapshot;
  if (faults.length > 0) {
    const fields = { project, ...bounded('issues', faults) };
    logger.error(fields, 'project.yaml cannot be read; its last good version stays armed');
    return;
  }
  if (file === null) return;
  const { fileIssues, invalid } = file;
  if (fileIssues.length > 0) {
    const fields = { project, ...bounded('issues', fileIssues) };
    logger.warn(fields, 'a setting of project.yaml is not valid');
  }
  for (const { name, source, issues } of invalid.slice(0, MOST_TOLD)) {
    const fields = { project, source, name, ...bounded('issues', issues) };
    logger.warn(fields, 'an entry of project.yaml is not valid');
  }
  if (invalid.length > MOST_TOLD) {
    const fields = { project, count: invalid.length - MOST_TOLD };
    logger.warn(fields, 'further entries of project.yaml are not valid');
  }
  const warnings = oddities(snapshot, file);
  if (warnings.length > 0) {
    logger.warn(
      { project, ...bounded('warnings', warnings, MOST_TOLD + 1) },
      'project.yaml has oddities',
    );
  }
}

// The first ones, and how many there are in all where that is more.
function bounded<T>(name: string, all: readonly T[], most = MOST_TOLD): Record<string, unknown> {
  const more = all.length > most ? { count: all.length } : {};
  return { [name]: all.slice(0, most), ...more };
}

// The text of a file has twenty warnings at most, and a count of the others among them.
function oddities(
  snapshot: ProjectSnapshot,
  { warnings, triggers, schedules }: ProjectFile,
): (Issue & { readonly entry?: string })[] {
  const of = (source: Source, [entry, declared]: [string, Parameters<typeof entryWarnings>[2]]) =>
    entryWarnings(snapshot, source, declared).map((warning) => ({ entry, ...warning }));
  return [
    ...warnings,
    ...[...triggers].flatMap((entry) => of('trigger', entry)),
    ...[...schedules].flatMap((entry) => of('schedule', entry)),
  ];
}
