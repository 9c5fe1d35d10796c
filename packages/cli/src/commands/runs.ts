import { type Api, followChanges, type Schemas } from '@svc/client';
import { counted } from '@svc/core';
import { FAILURE_OUTCOMES, outcomeText } from '@svc/records';
import { type Command, REPORTS_WITHIN_MS } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { formatCost, formatDuration, formatLocalTime } from '../formatting.ts';
import { withNameSuggestions } from '../names.ts';
import { asksForJson, printResult } from '../print-result.ts';
import { answerOf, ORIGIN, type Service, withService } from '../service.ts';
import { type Column, oneLine, printTable, type Tone, toned } from '../table.ts';
import { CommandError, type Terminal } from '../terminal.ts';
import { wholeNumber } from '../whole-number.ts';

type Run = Schemas['Run'];

/** Outcomes that `--failed` selects: failed turns, and slots without a turn. */
const FAILED_OUTCOMES = [...FAILURE_OUTCOMES, 'interrupted', 'missed', 'skipped_limit'] as const;

interface Wanted {
  readonly project: string | null;
  readonly trigger: string | null;
  readonly failed: boolean;
  readonly limit: number;
}

/** Lists the newest runs of all projects, of one project or of one trigger. */
export const runs: Command = {
  name: 'runs',
  group: 'Inspect',
  summary: 'list runs: --failed, --follow',
  stopsWithinMs: REPORTS_WITHIN_MS,
  arguments: { '[PROJECT]': 'project', '[TRIGGER]': 'trigger' },
  takes: 'a project and a trigger, both optional: svc runs hello.',
  options: {
    '--failed':
      'only runs that need attention: failed, timed_out, max_turns, denied, no_model, interrupted, missed, skipped_limit',
    '-f, --follow': 'keep running and print each run when it starts and ends, until Ctrl-C',
    '--limit N': 'number of runs, 1 to 200 (default 20)',
  },
  isRemote: true,
  description: `
List runs, newest first: scheduled time, outcome, duration, cost, and the reason if a run did not succeed. Times are in this
machine's local time.

  svc runs --failed
  svc runs hello heartbeat --limit 100
  svc runs --follow`,
  json: '{ "runs": [...], "next" }, as in GET /api/runs; with --follow one run per line.',
  async run(context) {
    const { options, terminal } = context;
    const wanted = wantedOf(context);
    await withService(context, async (service) => {
      const { project, trigger } = wanted;
      const ask = () => newest(service.api, wanted);
      const page = await (project === null
        ? ask()
        : withNameSuggestions(service.api, project, trigger, ask));
      if (options['follow'] === true) return follow(context, service, wanted, page.runs);
      printResult(context, page, () =>
        page.runs.length === 0
          ? terminal.error(wanted.failed ? 'No failed runs.' : 'No runs yet.')
          : printTable(terminal, page.runs, columnsFor(wanted, terminal)),
      );
    });
    return 0;
  },
};

function wantedOf({ arguments: given, options }: CommandContext): Wanted {
  const [project = null, trigger = null] = given;
  const limit = wholeNumber(options, 'limit', { most: 200, absent: 20 });
  return { project, trigger, failed: options['failed'] === true, limit };
}

async function newest(
  api: Api,
  { project, trigger, failed, limit }: Wanted,
): Promise<Schemas['AllRunPage']> {
  const query = { limit, ...(failed && { outcome: [...FAILED_OUTCOMES] }) };
  if (project === null) return answerOf(api.GET('/api/runs', { params: { query } }), 'runs');
  const own = { ...(trigger !== null && { trigger }), ...query };
  const params = { path: { slug: project }, query: own };
  return answerOf(api.GET('/api/projects/{slug}/runs', { params }), 'runs');
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
export function outcomeWord(outcome: NonNullable<Run['outcome']>): string {
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
  context: CommandContext,
  { api, server }: Service,
  wanted: Wanted,
  first: readonly Run[],
): Promise<void> {
  if (server === null) {
    throw new CommandError(
      'No server is running for this home, so no runs start. Start one with svc serve.',
    );
  }
  const { terminal } = context;
  const isJson = asksForJson(context);
  const printed = new Map<string, string>();
  const print = (run: Run): void => {
    const standing = `${run.state} ${run.outcome} ${run.slotCount}`;
    if (!isWanted(run, wanted) || printed.get(run.id) === standing) return;
    printed.set(run.id, standing);
    if (isJson) terminal.out(JSON.stringify(run));
    else terminal.colored(followedLine(run, terminal));
  };
  for (const run of first.toReversed()) print(run);
  let asked = Promise.resolve();
  const next = (work: () => Promise<void>): void => {
    asked = asked.then(work).catch(() => {});
  };
  const following = followChanges(
    {
      baseUrl: ORIGIN,
      ...(wanted.project !== null && { project: wanted.project }),
      onChange: ({ kind, project: slug, id: runId }) => {
        if (kind !== 'run') return;
        const params = { path: { slug, runId } };
        next(async () => {
          const { data } = await api.GET('/api/projects/{slug}/runs/{runId}', { params });
          if (data !== undefined) print(data);
        });
      },
      // Catches up on changes while the connection was lost.
      onReset: () =>
        next(async () => {
          for (const run of (await newest(api, wanted)).runs.toReversed()) print(run);
        }),
      onState: (state) => {
        if (state === 'lost') terminal.error('Connection lost. Reconnecting.');
      },
    },
    { fetch: (url, init) => server.fetch(new Request(url, init)) },
  );
  await context.stopRequested;
  following.stop();
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
