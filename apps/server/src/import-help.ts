import { COMMON, JSON_LINE } from './everyday-help.ts';

/** The help of `svc import`. */
export const IMPORT_HELP: string = `Usage: svc import crontab FILE --project PROJECT [--system] [--dry-run]
       svc import github-workflow FILE --project PROJECT [--dry-run]

Import each command of a crontab, or each schedule of a GitHub workflow, as a trigger in the project.yaml of a project. Imported
triggers are disabled. Their commands become steps that run without AI. Whatever cannot be imported is listed in comments above
the trigger and in the output. Existing entries are not changed: if a name is taken, name-2 is used. If FILE is -, standard
input is read.

  crontab -l | svc import crontab - --project hello --dry-run
  svc import crontab /etc/crontab --system --project hello
  svc import github-workflow .github/workflows/nightly.yml --project hello

  --project PROJECT  project to add the triggers to
  --system           lines have a user field, as in /etc/crontab and /etc/cron.d
  --dry-run          show the result without writing it
With --json: { "project", "dryRun", "added": [{ name, renamedFrom, schedule, timezone }], "notes" }; --dry-run adds "text".

${JSON_LINE}
${COMMON}`;
