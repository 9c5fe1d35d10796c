import { COMMON } from './everyday-help.ts';

/** The help of `svc simulate`. */
export const SIMULATE_HELP: string = `Usage: svc simulate [PROJECT | FILE] [--days N] [--duration [NAME=]D ...] [--cost [NAME=]USD ...] [--fail-on LIST]

Has the scheduler of the service fire the triggers of one project, one file, or every project of the home on a clock of its own,
under the limits of the home, and says what came of it: how often each fires, which slots find the run before them unfinished,
which are skipped, how long turns wait for a place, what days with a change of the clocks do, and what all of it costs. Nothing is
run or written, and no server is needed. An interval is counted from the start.

  svc simulate --days 90 --duration 5m --duration report=20m
  svc simulate hello --cost 0.02 --cost report=0.40
  svc simulate path/to/project.yaml --fail-on skipped,never          in CI

  --days N            how many days, 1 to 366 (default 30)
  --from T            the first instant: a day such as 2026-03-01, or ISO 8601 (default now)
  --duration D        how long each run takes (default 1m); NAME=D or PROJECT/NAME=D for one trigger, as often as needed;
                      never longer than run.timeout or limits.turnTimeout
  --cost USD          what each run costs in US dollars (default: not told); NAME=USD or PROJECT/NAME=USD for one trigger
  --all               disabled triggers too
  --fail-on LIST      exit code 1 where one of these came about, with commas:
                      overlap  a slot fell due while a run of its trigger went on
                      skipped  a slot was skipped
                      limit    a slot was skipped for a limit of a day: policy.firesPerDay, limits.firesPerDay,
                               policy.costPerDayUsd, costPerDayUsd, limits.costPerDayUsd
                      pile-up  a turn waited for a place: limits.concurrentTurns, limits.concurrentTurnsPerProject
                      never    a trigger did not fire, or its entry is invalid
  --json              { from, until, days, fires, costUsd, mostRunning, triggers, clockChanges, pileUps, leftOut, failed };
                      triggers have, by day of this machine, how often they fire; times in ms end with Ms
${COMMON}`;
