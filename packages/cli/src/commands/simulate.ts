import { type Command, REPORTS_WITHIN_MS } from '../command.ts';
import { FAILURES } from '../simulate/options.ts';

/** Forecasts the fires of one project or all projects. */
export const simulate: Command = {
  name: 'simulate',
  group: 'Set up',
  summary: 'forecast upcoming runs, overlaps and cost',
  stopsWithinMs: REPORTS_WITHIN_MS,
  arguments: { '[PROJECT | FILE]': 'project' },
  takes: 'one project or one file.',
  options: {
    '--days N': 'number of days, 1 to 366 (default 30)',
    '--from T': 'start: a day such as 2026-03-01, or ISO 8601 (default now)',
    '--duration D...':
      'duration of each run (default 1m); NAME=D or PROJECT/NAME=D for one trigger, may be repeated; at most run.timeout or limits.turnTimeout',
    '--cost USD...':
      'cost of each run in US dollars (default: none); NAME=USD or PROJECT/NAME=USD for one trigger, may be repeated',
    '--all': 'include disabled triggers',
    '--fail-on LIST': 'comma-separated list of conditions; exit with code 1 if one of them is met',
  },
  values: { 'fail-on': FAILURES },
  description: `
Forecast upcoming runs, overlaps and cost for one project, one file, or every project in the home. svc runs its scheduler on a
simulated clock with the home's limits. The report shows how often each trigger fires, which slots overlap or are
skipped, how long turns queue, what happens when the clocks change, and the total cost. Nothing is run or written, and no server is
needed. Intervals start at --from.

  svc simulate --days 90 --duration 5m --duration report=20m
  svc simulate hello --cost 0.02 --cost report=0.40
  svc simulate path/to/project.yaml --fail-on skipped,never          in CI

Conditions of --fail-on:

  overlap  a slot falls due while the previous run of its trigger is still running
  skipped  a slot is skipped
  limit    a slot is skipped because of a daily limit: policy.firesPerDay, limits.firesPerDay,
           policy.costPerDayUsd, costPerDayUsd, limits.costPerDayUsd
  pile-up  a turn is queued: limits.concurrentTurns, limits.concurrentTurnsPerProject
  never    a trigger does not fire, or its entry is invalid`,
  json: `{ from, until, days, fires, costUsd, mostRunning, triggers, clockChanges, pileUps, leftOut, failed };
each trigger has its runs per day, in this machine's time zone; fields in milliseconds end in Ms.`,
  // Loaded on demand, because it brings the scheduler.
  run: async (context) => (await import('../simulate/run.ts')).runSimulation(context),
};
