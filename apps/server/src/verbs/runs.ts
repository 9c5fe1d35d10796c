import { followChanges } from '@svc/client';
import { counted } from '@svc/core';
import type { OperationResults } from '@svc/ops';
import { FAILURE_OUTCOMES, outcomeText, type Run, type RunOutcome } from '@svc/records';
import { formatCost, formatDuration, formatLocalTime } from '../formatting.ts';
import { type Column, oneLine, printTable, type Tone, toned } from '../table.ts';
import { CommandError, type ExitCode, type Terminal, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { projectPath, withNameSuggestions } from './names.ts';
import { type RunningServer, type ServiceAccess, withService } from './service-access.ts';
import { wholeNumber } from './whole-number.ts';

/** Outcomes that `--failed` selects: failed turns, and slots without a turn. */
const FAILED_OUTCOMES = [...FAILURE_OUTCOMES, 'interrupted', 'missed', 'skipped_limit'] as const;

interface Wanted {
  readonly project: string | null;
  readonly trigger: string | null;
  readonly failed: boolean;
  readonly limit: number;
}

/** Lists the newest runs of all projects, of one project or of one trigger; `--follow` continues with new ones. */
export async function runsVerb(context: VerbContext): Promise<ExitCode> {
  const { options, terminal } = context;
  const wanted = wantedOf(context);
  await withService(context, async (service) => {
    const { project, trigger } = wanted;
    const ask = () => newest(service, wanted);
    const page = await (project === null
      ? ask()
      : withNameSuggestions(service, project, trigger, ask));
    const { runs } = page;
    if (options['follow'] === true) return follow(context, service, wanted, runs);
    if (options['json'] === true) return terminal.text(JSON.stringify(page, null, 2));
    if (runs.length === 0)
      return terminal.error(wanted.failed ? 'No failed runs.' : 'No runs yet.');
    printTable(terminal, runs, columnsFor(wanted, terminal));
  });
  return 0;
}

function wantedOf({ arguments: given, options }: VerbContext): Wanted {
  const [project = null, trigger = null, ...rest] = given;
  if (rest.length > 0)
    throw new UsageError('runs takes a project and a trigger, both optional: svc runs hello.');
  const limit = wholeNumber(options, 'limit', { most: 200, absent: 20 });
  return { project, trigger, failed: options['failed'] === true, limit };
}

type Page = Pick<OperationResults['list_all_runs'], 'runs' | 'next'>;

function newest(
  service: ServiceAccess,
  { project, trigger, failed, limit }: Wanted,
): Promise<Page> {
  const own = { ...(trigger !== null && { trigger }), limit };
  const query = new URLSearchParams({
    ...{ ...own, limit: String(limit) },
    ...(failed && { outcome: FAILED_OUTCOMES.join(',') }),
  });
  const input = { ...own, ...(failed && { outcome: FAILED_OUTCOMES }) };
  if (project === null) {
    return service.call<Page>({
      ...{ row: 'list_all_runs', method: 'GET', path: `/api/runs?${query}`, input },
    });
  }
  const path = `${projectPath(project)}/runs?${query}`;
  return service.call<Page>({
    row: 'list_runs',
    method: 'GET',
    path,
    input: { project, ...input },
  });
}

/** The scheduled time of a run, or the time of the request if it has none. */
const timeOf = ({ scheduledFor, claimedAt }: Run): string => scheduledFor ?? claimedAt;

function tookText({ startedAt, endedAt }: Run): string {
  if (startedAt === null || endedAt === null) return '';
  return formatDuration(Date.parse(endedAt) - Date.parse(startedAt));
}

/** State or outcome of a run for people. */
export function stateText({ state, outcome, slotCount }: Run): string {
  const words = outcome === null ? state : outcomeWord(outcome);
  return slotCount > 1 ? `${words} (${slotCount} slots)` : words;
}

/** An outcome without its verb, for tables. */
export function outcomeWord(outcome: RunOutcome): string {
  return outcomeText(outcome).replace(/^(?:was|had) /, '');
}

/** The color of an outcome. */
export function toneOf({ outcome }: Pick<Run, 'outcome'>): Tone | null {
  if (outcome === null) return null;
  if (outcome === 'succeeded') return 'good';
  if (outcome === 'cancelled' || /^skipped_(overlap|paused)/.test(outcome)) return 'quiet';
  return 'bad';
}

/** The end of an id, which is unique in practice; commands accept it instead of the whole id. */
export function shortId(id: string): string {
  return id.slice(-SHORT);
}

const SHORT = 12;

function columnsFor(
  { project, trigger }: Wanted,
  { isTerminal }: Terminal,
): readonly Column<Run>[] {
  return [
    { title: 'WHEN', of: (run) => formatLocalTime(timeOf(run)) },
    ...(project === null ? [{ title: 'PROJECT', of: (run: Run) => run.project, least: 8 }] : []),
    ...(trigger === null ? [{ title: 'TRIGGER', of: (run: Run) => run.trigger, least: 10 }] : []),
    { title: 'OUTCOME', of: stateText, tone: toneOf, least: 9 },
    { title: 'TOOK', of: tookText, align: 'right', dropped: 3 },
    { title: 'COST', of: ({ cost }) => formatCost(cost), align: 'right', dropped: 4 },
    { title: 'WHY', of: whyText, least: 12, dropped: 2 },
    { title: 'RUN', of: ({ id }) => (isTerminal ? shortId(id) : id) },
  ];
}

// Prints the given runs, then each run at its start and at its end, until the command is stopped.
async function follow(
  context: VerbContext,
  { server }: ServiceAccess,
  wanted: Wanted,
  runs: readonly Run[],
): Promise<void> {
  if (server === null) {
    throw new CommandError(
      'No server is running for this home, so no runs start. Start one with svc serve.',
    );
  }
  const { options, terminal } = context;
  const isJson = options['json'] === true;
  const printed = new Map<string, string>();
  const print = (run: Run): void => {
    const standing = `${run.state} ${run.outcome} ${run.slotCount}`;
    if (!isWanted(run, wanted) || printed.get(run.id) === standing) return;
    printed.set(run.id, standing);
    if (isJson) terminal.out(JSON.stringify(run));
    else terminal.colored(followedLine(run, terminal));
  };
  for (const run of runs.toReversed()) print(run);
  let asked = Promise.resolve();
  const following = followChanges(
    {
      baseUrl: new URL(server.url).origin,
      ...(wanted.project !== null && { project: wanted.project }),
      onChange: ({ kind, project, id }) => {
        if (kind !== 'run') return;
        asked = asked.then(
          async () => {
            const answer = await server.call('GET', `${projectPath(project)}/runs/${id}`);
            if (answer.status === 200) print(answer.body as Run);
          },
          () => {},
        );
      },
      // Catches up on changes while the connection was lost.
      onReset: () => {
        asked = asked.then(
          async () => {
            const { runs: missed } = await newestOf(server, wanted);
            for (const run of missed.toReversed()) print(run);
          },
          () => {},
        );
      },
      onState: (state) => {
        if (state === 'lost') terminal.error('Connection lost. Reconnecting.');
      },
    },
    { fetch: server.fetch },
  );
  await context.stopRequested;
  following.stop();
}

async function newestOf(server: RunningServer, wanted: Wanted): Promise<Page> {
  const call: ServiceAccess['call'] = async ({ method, path }) =>
    (await server.call(method, path)).body as never;
  return newest({ server, call, close: async () => {} }, wanted);
}

function isWanted(run: Run, { project, trigger, failed }: Wanted): boolean {
  if (project !== null && run.project !== project) return false;
  if (trigger !== null && run.trigger !== trigger) return false;
  return !failed || FAILED_OUTCOMES.some((outcome) => outcome === run.outcome);
}

function followedLine(run: Run, { hasColors }: Terminal): string {
  const tone = toneOf(run);
  const standing = oneLine(stateText(run));
  const shown = tone === null || !hasColors ? standing : toned(standing, tone);
  const took = tookText(run);
  const why = run.reason === null ? '' : `: ${oneLine(run.reason)}`;
  return [
    formatLocalTime(run.endedAt ?? run.startedAt ?? run.claimedAt),
    oneLine(`${run.project}/${run.trigger}`),
    `${shown}${took === '' ? '' : ` after ${took}`}${why}`,
    oneLine(shortId(run.id)),
  ].join('  ');
}

function whyText({ reason, toolErrors }: Run): string {
  return reason ?? (toolErrors ? `${counted(toolErrors, 'tool call')} failed` : '');
}
