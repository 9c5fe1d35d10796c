import { basename, dirname } from 'node:path';
import { counted, createSystemClock, type Issue, isoTime, sentencesOf } from '@svc/core';
import type { Source } from '@svc/records';
import {
  clockDaysOf,
  estimatedFires,
  type Simulation,
  type SimulationRequest,
  simulate,
} from '@svc/simulation';
import type { ProjectFile } from '@svc/trigger-schema';
import type { CommandContext } from '../context.ts';
import { formatLocalTime } from '../formatting.ts';
import { printResult } from '../print-result.ts';
import { findProjectFiles, type ReadEntry, readProject } from '../project-files.ts';
import { CommandError, type ExitCode } from '../terminal.ts';
import { failuresIn } from './failures.ts';
import { simulationAsJson } from './json.ts';
import { printSimulation } from './lines.ts';
import {
  type Assumed,
  assumedOf,
  checkNames,
  type SimulateOptions,
  simulateOptions,
} from './options.ts';
import type { LeftOut, Simulated } from './simulated.ts';

/** Fires from which a simulation is announced to take long, and above which it is refused. */
const MANY_FIRES = 500_000;
const MAX_FIRES = 3_000_000;

/** Forecasts the fires of one project or all projects. */
export async function runSimulation(context: CommandContext): Promise<ExitCode> {
  const options = simulateOptions(context, createSystemClock().now());
  const { projects, leftOut } = await readProjects(context, options);
  const request = requestOf(context, options, projects);
  checkAssumed(options, projects);
  const isLong = announceIfLong(context, estimatedFires(request));
  const simulation = await untilStopped(context, request, isLong);
  if (simulation.overwhelmedAt !== null) throw overwhelmed(simulation.overwhelmedAt);
  const { limits } = context;
  const clockDays = simulation.triggers.flatMap(({ key, definition }) =>
    clockDaysOf(definition, options.from, options.until).map((change) => ({ key, change })),
  );
  const simulated: Simulated = { options, simulation, clockDays, leftOut, limits };
  const failures = failuresIn(simulated);
  const { terminal } = context;
  printResult(context, simulationAsJson(simulated, failures), () =>
    printSimulation(terminal, simulated),
  );
  for (const { message } of failures) terminal.error(message);
  return failures.length === 0 ? 0 : 1;
}

type ReadProject = SimulationRequest['projects'][number];

async function readProjects(
  context: CommandContext,
  options: SimulateOptions,
): Promise<{ projects: ReadProject[]; leftOut: LeftOut[] }> {
  const projects: ReadProject[] = [];
  const leftOut: LeftOut[] = [];
  for (const path of await findProjectFiles(context, context.arguments[0])) {
    const read = await readProject(context, path);
    if (!read.ok) throw new CommandError(`${path}: ${sentencesOf(read.issues, 'The file')}`);
    const { file, entries } = read;
    const slug = basename(dirname(path));
    const unusable = entries.filter(({ prompt }) => prompt !== null);
    const usableIn = <T>(source: Source, declared: ReadonlyMap<string, T>) =>
      new Map(
        [...declared].filter(
          ([name]) => !unusable.some((one) => one.source === source && one.name === name),
        ),
      );
    const triggers = usableIn('trigger', file.triggers);
    const schedules = usableIn('schedule', file.schedules);
    projects.push({ slug, file: { ...file, triggers, schedules } });
    for (const [name, issues] of leftOutOf(file, unusable, options)) {
      leftOut.push({ project: slug, name, reason: sentencesOf(issues, 'The entry') });
    }
  }
  return { projects, leftOut };
}

function leftOutOf(
  file: ProjectFile,
  unusable: readonly ReadEntry[],
  { withDisabled }: Pick<SimulateOptions, 'withDisabled'>,
): (readonly [name: string, issues: readonly Issue[]])[] {
  return [
    ...file.invalid
      .filter(({ name }) => withDisabled || !isDisabled(file, name))
      .map(({ name, issues }) => [name, issues] as const),
    ...unusable
      .filter(({ entry }) => withDisabled || entry.record.enabled)
      .map(({ name, prompt }) => [name, prompt === null ? [] : [prompt.issue]] as const),
  ];
}

function isDisabled({ written }: ProjectFile, name: string): boolean {
  const entry = written.get(name);
  return typeof entry === 'object' && entry !== null && 'enabled' in entry && !entry.enabled;
}

function requestOf(
  { limits }: CommandContext,
  { from, until, withDisabled, durations, costs }: SimulateOptions,
  projects: readonly ReadProject[],
): SimulationRequest {
  const { concurrentTurns: concurrent, concurrentTurnsPerProject: perProject } = limits;
  const { firesPerDay, costPerDayUsd, turnTimeoutMs } = limits;
  return {
    ...{ projects, from, until, withDisabled },
    durationOf: (key) => assumedOf(durations, key),
    costOf: (key) => (costs === null ? 0 : assumedOf(costs, key)),
    rules: { limits: { concurrent, perProject }, firesPerDay, costPerDayUsd, turnTimeoutMs },
  };
}

function checkAssumed({ durations, costs }: SimulateOptions, projects: readonly ReadProject[]) {
  const keys = projects.flatMap(({ slug, file }) =>
    (['trigger', 'schedule'] as const).flatMap((source) => {
      const entries = source === 'trigger' ? file.triggers : file.schedules;
      return [...entries.keys()].map((name) => ({ project: slug, source, name }));
    }),
  );
  const given: Assumed[] = costs === null ? [durations] : [durations, costs];
  for (const one of given) checkNames(one, keys);
}

async function untilStopped(
  { stopRequested, terminal }: CommandContext,
  request: SimulationRequest,
  isLong: boolean,
): Promise<Simulation> {
  const stop = new AbortController();
  void stopRequested.then(() => stop.abort());
  const report = isLong && terminal.isTerminal ? progressOn(terminal, request) : () => {};
  const simulation = await simulate({ ...request, signal: stop.signal }, (_, slot) => report(slot));
  if (stop.signal.aborted) throw new CommandError('Stopped before the end of the simulation.');
  return simulation;
}

// Reports the progress in steps of a tenth of the simulated period.
function progressOn(
  { error }: CommandContext['terminal'],
  { from, until }: Pick<SimulationRequest, 'from' | 'until'>,
): (slot: number) => void {
  let reported = 0;
  return (slot) => {
    const tenth = Math.floor(((slot - from) * 10) / (until - from));
    if (tenth <= reported) return;
    reported = tenth;
    error(`Simulated: ${tenth * 10} %, up to ${formatLocalTime(isoTime(slot))}`);
  };
}

function overwhelmed(at: number): CommandError {
  return new CommandError(
    `On ${formatLocalTime(isoTime(at))} too many turns are queued to simulate: they start much faster than they end.`,
  );
}

/** Returns whether the simulation takes long, and announces it. */
function announceIfLong({ terminal }: CommandContext, fires: number): boolean {
  const many = counted(Math.round(fires), 'fire').replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  if (fires > MAX_FIRES) {
    throw new CommandError(
      `That is about ${many}; the limit is 3,000,000. Use fewer --days, or one project.`,
    );
  }
  const isLong = fires > MANY_FIRES;
  if (isLong) terminal.error(`Simulating about ${many}. This takes a while.`);
  return isLong;
}
