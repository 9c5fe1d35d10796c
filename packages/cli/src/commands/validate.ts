import type { Command } from '../command.ts';

/** Checks project files. */
export const validate: Command = {
  name: 'validate',
  group: 'Set up',
  summary: 'check project files; exit code 1 on errors',
  arguments: { '[PROJECT | FILE]': 'project' },
  takes: 'one project or one file.',
  description: `
Check one project, one file, or every project in the home. Each finding is printed as
file:line:column code entry: what is wrong and how to fix it.
Codes: file_fault, yaml_fault, invalid_trigger, invalid_schedule, invalid_setting, unusable_prompt, warning.
Exit code 1 if there are errors, or nothing to check. Warnings alone exit with 0.`,
  json: '{ "files", "errors", "warnings", "findings": [{ file, line, column, code, entry, path, message }] }.',
  // Loaded on demand, because it brings the parser.
  run: async (context) => (await import('../validate-files.ts')).runValidate(context),
};
