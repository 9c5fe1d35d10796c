import { type Command, REPORTS_WITHIN_MS } from '../command.ts';

/** Imports triggers from other formats. */
export const importing: Command = {
  name: 'import',
  group: 'Set up',
  summary: 'import triggers: crontab or github-workflow',
  stopsWithinMs: REPORTS_WITHIN_MS,
  usage: [
    'crontab FILE --project PROJECT [--system] [--dry-run]',
    'github-workflow FILE --project PROJECT [--dry-run]',
  ],
  overview: 'FORMAT FILE',
  arguments: { KIND: ['crontab', 'github-workflow'], FILE: 'file' },
  takes: 'crontab or github-workflow, and a file, or - for standard input.',
  options: {
    '--project PROJECT': 'project to add the triggers to',
    '--system': 'lines have a user field, as in /etc/crontab and /etc/cron.d',
    '--dry-run': 'show the result without writing it',
  },
  values: { project: 'project' },
  description: `
Import each command of a crontab, or each schedule of a GitHub workflow, as a trigger in the project.yaml of a project. Imported
triggers are disabled. Their commands become steps that run without AI. Whatever cannot be imported is listed in comments above
the trigger and in the output. Existing entries are not changed: if a name is taken, name-2 is used. If FILE is -, standard
input is read.

  crontab -l | svc import crontab - --project hello --dry-run
  svc import crontab /etc/crontab --system --project hello
  svc import github-workflow .github/workflows/nightly.yml --project hello`,
  json: '{ "project", "dryRun", "added": [{ name, renamedFrom, schedule, timezone }], "notes" }; --dry-run adds "text".',
  // Loaded on demand, because it brings the parser.
  run: async (context) => (await import('../importing/run.ts')).runImport(context),
};
