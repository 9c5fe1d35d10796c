import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createProcessReaper } from '@svc/agent-runtime';
import { type ExitCode, printResult } from '@svc/cli';
import { counted, createSystemClock, type Issue, sentenceOf, silentLogger } from '@svc/core';
import { createPromptRemarks, type PromptRemarks } from '@svc/engine';
import { isMisnamed, SLUG_RULE } from '@svc/projects';
import { createRuntimes } from '../runtimes.ts';
import type { VerbContext } from '../verb-context.ts';
import { projectFiles } from './project-files.ts';
import { readProject } from './read-project.ts';

/** Checks one project file, one project or all projects of the home. Returns 1 if there are errors. */
export async function validateVerb(context: VerbContext): Promise<ExitCode> {
  const files = await projectFiles(context, context.arguments[0]);
  const remarks = remarksOf(context);
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
  const misnamed = context.arguments.length > 0 ? [] : await misnamedIn(context.home.projects);
  for (const name of misnamed) {
    const place = relative(process.cwd(), join(context.home.projects, name));
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

async function misnamedIn(projects: string): Promise<string[]> {
  const names = await readdir(projects);
  return names.filter((name) => isMisnamed(projects, name)).sort();
}

/** Checks prompts for the configured runtimes, without starting them. */
function remarksOf({ home, settings, version }: VerbContext): PromptRemarks {
  const clock = createSystemClock();
  const reaper = createProcessReaper({ clock, logger: silentLogger });
  const keys = { of: () => null };
  const parts = { clock, logger: silentLogger, reaper, home, settings, keys, path: '', version };
  const runtimes = createRuntimes({ ...parts, user: null });
  return createPromptRemarks({ runtimes }, { defaultRuntime: settings.runtime.default });
}

async function check(
  context: VerbContext,
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
