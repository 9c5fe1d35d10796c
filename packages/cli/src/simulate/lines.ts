import { counted, isoTime } from '@svc/core';
import type { ClockDay, PileUp, SimulatedTrigger } from '@svc/simulation';
import { formatCost, formatDuration, formatLocalTime } from '../formatting.ts';
import { type Column, printTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { mostOf, totalCost } from './json.ts';
import { nameOf, type Simulated } from './simulated.ts';

/** Prints the result of a simulation for people. */
export function printSimulation(terminal: Terminal, simulated: Simulated): void {
  const { simulation, options, leftOut } = simulated;
  const { triggers } = simulation;
  const fires = triggers.reduce((sum, one) => sum + one.fires, 0);
  const cost = options.costs === null ? '' : `, ${formatCost(totalCost(triggers))}`;
  terminal.out(
    `${counted(options.days, 'day')} from ${formatLocalTime(isoTime(options.from))}: ${counted(triggers.length, 'trigger')}, ${counted(fires, 'slot')}${cost}.`,
  );
  if (triggers.length > 0) {
    terminal.out('');
    printTable(terminal, triggers, columnsOf(simulated));
  }
  section(terminal, 'Clock changes', clockLines(simulated));
  printPileUps(terminal, simulated);
  section(terminal, 'Notes', [
    ...triggers.flatMap(oddities),
    ...leftOut.map(({ project, name, reason }) => `${project}/${name} is not included. ${reason}`),
  ]);
}

function section({ out }: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out('');
  out(title);
  for (const line of lines) out(`  ${line}`);
}

function columnsOf({ simulation, options }: Simulated): Column<SimulatedTrigger>[] {
  const isOne = new Set(simulation.triggers.map(({ key }) => key.project)).size < 2;
  const number = (title: string, of: (one: SimulatedTrigger) => number, dropped?: number) => ({
    ...{ title, align: 'right' as const, ...(dropped === undefined ? {} : { dropped }) },
    of: (one: SimulatedTrigger) => (of(one) === 0 ? '' : String(of(one))),
    tone: (): 'warn' => 'warn',
  });
  return [
    ...(isOne ? [] : [PROJECT]),
    { title: 'TRIGGER', of: ({ key }) => key.name, least: 10 },
    { title: 'SCHEDULE', of: scheduleOf, least: 9, dropped: 5 },
    {
      title: 'DURATION',
      of: ({ durationMs }) => formatDuration(durationMs),
      align: 'right',
      dropped: 6,
    },
    { title: 'SLOTS', of: ({ fires }) => String(fires), align: 'right' },
    { title: 'PER DAY', of: (one) => rateText(one.fires / options.days), align: 'right' },
    { title: 'MAX/DAY', of: (one) => String(mostOf(one).count), align: 'right', dropped: 4 },
    number('OVERLAPS', ({ overlaps }) => overlaps, 3),
    number('SKIPPED', ({ skippedOverlap }) => skippedOverlap, 9),
    number('OVER LIMIT', ({ skippedLimit }) => skippedLimit, 8),
    {
      title: 'LONGEST WAIT',
      of: ({ longestWaitMs }) => (longestWaitMs === 0 ? '' : formatDuration(longestWaitMs)),
      align: 'right',
      dropped: 7,
    },
    {
      title: 'COST',
      of: ({ costMicrousd }) => (options.costs === null ? '' : formatCost(costMicrousd / 1e6)),
      align: 'right',
      dropped: 10,
    },
  ];
}

const PROJECT: Column<SimulatedTrigger> = {
  title: 'PROJECT',
  of: ({ key }) => key.project,
  least: 8,
};

function scheduleOf({ definition: { when } }: SimulatedTrigger): string {
  if (when === null) return '';
  if (when.kind === 'interval') return `every ${when.interval}`;
  return when.timezone === null ? when.cron : `${when.cron} ${when.timezone}`;
}

function rateText(rate: number): string {
  return rate >= 100 ? String(Math.round(rate)) : String(Number(rate.toPrecision(2)));
}

const MAX_CLOCK_LINES = 20;

function clockLines({ clockDays }: Simulated): string[] {
  const lines = clockDays.map(({ key, change }) => `${nameOf(key)}: ${clockText(change)}`);
  const rest = lines.length - MAX_CLOCK_LINES;
  return rest <= 0 ? lines : [...lines.slice(0, MAX_CLOCK_LINES), `and ${rest} more, see --json`];
}

function clockText({ day, timezone, times, kind, fires, atTime }: ClockDay): string {
  const what =
    kind === 'skipped'
      ? times.length === 1
        ? 'does not exist'
        : 'do not exist'
      : times.length === 1
        ? 'occurs twice'
        : 'occur twice';
  const place = timezone === null ? "in this machine's time zone" : `in ${timezone}`;
  return `${timesText(times)} ${what} on ${day} ${place}: ${FIRES[fires].replace('AT', atTime ?? '')}`;
}

const FIRES: Readonly<Record<ClockDay['fires'], string>> = {
  at_once: 'it fires once, at AT.',
  not: 'it does not fire.',
  first: 'it fires once, the first time.',
  second: 'it fires once, the second time.',
  both: 'it fires both times.',
};

const MAX_TIMES = 3;

function timesText(times: readonly string[]): string {
  const shown = times.slice(0, MAX_TIMES).join(', ');
  return times.length <= MAX_TIMES
    ? shown
    : `${shown} and ${counted(times.length - MAX_TIMES, 'more time')}`;
}

const MAX_PILE_UPS = 5;

function printPileUps(terminal: Terminal, { simulation, limits }: Simulated): void {
  const { pileUps, mostRunning } = simulation;
  if (mostRunning === 0) return;
  terminal.out('');
  if (pileUps.count === 0) {
    terminal.out(
      `Peak: ${counted(mostRunning, 'turn')} at a time. No turn waits for a concurrency limit.`,
    );
    return;
  }
  const { concurrentTurns, concurrentTurnsPerProject } = limits;
  terminal.out(
    `Turns are queued ${counted(pileUps.count, 'time')}, for ${formatDuration(pileUps.lastedMs)} in total. At most ${concurrentTurns} run at a time, ${concurrentTurnsPerProject} per project.`,
  );
  terminal.out('Longest queues:');
  printTable(terminal, pileUps.worst.slice(0, MAX_PILE_UPS), PILE_UP_COLUMNS);
}

const PILE_UP_COLUMNS: readonly Column<PileUp>[] = [
  { title: 'FROM', of: ({ from }) => formatLocalTime(isoTime(from)) },
  { title: 'FOR', of: ({ from, until }) => formatDuration(until - from), align: 'right' },
  { title: 'MOST TURNS', of: ({ most }) => String(most), align: 'right' },
  { title: 'AT', of: ({ mostAt }) => formatLocalTime(isoTime(mostAt)), dropped: 1 },
  { title: 'QUEUED', of: ({ triggers }) => [...triggers].map(shortId).join(', '), least: 10 },
];

function shortId(id: string): string {
  const [project = '', , ...name] = id.split('/');
  return `${project}/${name.join('/')}`;
}

function oddities(trigger: SimulatedTrigger): string[] {
  const { key, fires, fault, isCutShort, durationMs } = trigger;
  const name = nameOf(key);
  if (fault !== null) return [`${name} is not armed. ${fault}`];
  if (fires === 0) return [`${name} does not fire in this period.`];
  return isCutShort ? [`${name} is stopped after ${formatDuration(durationMs)}, its timeout.`] : [];
}
