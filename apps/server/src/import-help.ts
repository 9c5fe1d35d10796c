import { COMMON, JSON_LINE } from './everyday-help.ts';

/** The help of `svc import`. */
export const IMPORT_HELP: string = `Usage: svc import crontab FILE --project PROJECT [--system] [--dry-run]
       svc import github-workflow FILE --project PROJECT [--dry-run]

Makes a trigger of each command of a crontab, or of each schedule of a GitHub workflow, and adds them to the project.yaml of a
project. All are disabled. Their commands become steps that run as they stand there, without any AI; what could not be carried
over stands above them in comments, and is told. Nothing that is there is changed: where a name is taken, name-2 is used. A
FILE of - is the standard input.

  crontab -l | svc import crontab - --project hello --dry-run
  svc import crontab /etc/crontab --system --project hello
  svc import github-workflow .github/workflows/nightly.yml --project hello

  --project PROJECT  which project to add them to
  --system           the lines name a user, as those of /etc/crontab and /etc/cron.d do
  --dry-run          show what would be written, and write nothing
With --json: { "project", "dryRun", "added": [{ name, renamedFrom, schedule, timezone }], "notes" }; with --dry-run its text, too.

${JSON_LINE}
${COMMON}`;
