import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { counted, type Issue, sentenceOf } from '@svc/core';
import type { PromptRemarks } from '@svc/engine';
import { isMisnamed, SLUG_RULE } from '@svc/projects';
import type { CommandContext } from './context.ts';
import { printResult } from './print-result.ts';
import { findProjectFiles, readProject } from './project-files.ts';
import type { ExitCode } from './terminal.ts';

/** Checks one project file, one project or all projects of the home. Returns 1 if there are errors. */
export async function runValidate(context: CommandContext): Promise<ExitCode> {
  const files = await findProjectFiles(context, context.arguments[0]);
  const remarks = await context.projects.promptRemarks();
  let errors = 0;
  let warnings = 0;
  const reported: object[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const findings = await check(context, file, remarks);
    reported.push(...findings.map((finding) => shownOf(file, finding)));
    lines.push(...findings.map((finding) => lineOf(file, finding)));
    const warned = findings.filter((finding) => finding.code === 'warning').length;
    warnings += warned;
    errors += findings.length - warned;
  }
  const misnamed = context.arguments.length > 0 ? [] : await misnamedFolders(context);
  for (const folder of misnamed) {
    const place = relative(process.cwd(), folder);
    const message = `This folder is not a project: its name ${SLUG_RULE}`;
    reported.push({ file: place, line: null, column: null, code: 'warning', entry: null, message });
    lines.push(`${place} warning ${message}`);
  }
  warnings += misnamed.length;
  lines.push(
    `${counted(files.length, 'file')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}.`,
  );
  printResult(context, { files: files.length, errors, warnings, findings: reported }, lines);
  return errors === 0 ? 0 : 1;
}

interface Finding {
  readonly code:
    | 'file_fault'
    | 'yaml_fault'
    | 'invalid_trigger'
    | 'invalid_schedule'
    | 'invalid_setting'
    | 'unusable_prompt'
    | 'warning';
  /** Name of the entry; null: the whole file. */
  readonly entry: string | null;
  readonly issue: Issue;
}

async function misnamedFolders({ projects }: CommandContext): Promise<string[]> {
  const root = await projects.folder();
  const names = (await readdir(root)).filter((name) => isMisnamed(root, name));
  return names.sort().map((name) => join(root, name));
}

async function check(
  context: CommandContext,
  file: string,
  remarks: PromptRemarks,
): Promise<Finding[]> {
  const read = await readProject(context, file);
  if (!read.ok) {
    const { code } = read;
    return read.issues.map((issue) => ({ code, entry: null, issue }));
  }
  const { invalid, fileIssues, warnings } = read.file;
  const errors = invalid.flatMap(({ name, source, issues }) =>
    issues.map((issue): Finding => ({ code: `invalid_${source}`, entry: name, issue })),
  );
  const outside = fileIssues.map(
    (issue): Finding => ({ code: 'invalid_setting', entry: null, issue }),
  );
  const entries = read.entries.flatMap(({ source, name, entry, prompt }) => {
    if (prompt?.failsFires !== true) {
      return asWarnings(name, remarks.warnings(read, source, entry, prompt?.issue));
    }
    const unusable: Finding = { code: 'unusable_prompt', entry: name, issue: prompt.issue };
    return [...asWarnings(name, entry.warnings), unusable];
  });
  return [...outside, ...errors, ...asWarnings(null, warnings), ...entries].sort(
    (a, b) => (a.issue.line ?? 0) - (b.issue.line ?? 0),
  );
}

function asWarnings(entry: string | null, issues: readonly Issue[]): Finding[] {
  return issues.map((issue) => ({ code: 'warning', entry, issue }));
}

const WHOLE: Readonly<Record<Finding['code'], string>> = {
  file_fault: 'The file',
  yaml_fault: 'The file',
  invalid_trigger: 'The trigger',
  invalid_schedule: 'The schedule',
  invalid_setting: 'The file',
  unusable_prompt: 'The entry',
  warning: 'The file',
};

function shownOf(file: string, { code, entry, issue }: Finding): object {
  return {
    file: relative(process.cwd(), file),
    line: issue.line ?? 1,
    column: issue.column ?? 1,
    ...{ code, entry, path: issue.path, message: issue.message },
  };
}

function lineOf(file: string, { code, entry, issue }: Finding): string {
  const place = `${relative(process.cwd(), file)}:${issue.line ?? 1}:${issue.column ?? 1}`;
  return `${place} ${code} ${entry === null ? '' : `${entry}: `}${sentenceOf(issue, WHOLE[code])}`;
}
