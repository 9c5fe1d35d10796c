import type { Api, Schemas } from '@svc/client';
import type { Command } from '../command.ts';
import { formatCost, formatLocalTime } from '../formatting.ts';
import { inProjects } from '../names.ts';
import { printResult } from '../print-result.ts';
import { answerOf, withService } from '../service.ts';
import { type Column, printTable, type Tone } from '../table.ts';
import { outcomeWord } from './runs.ts';

type Run = Schemas['Run'];
type RuntimeState = Schemas['TriggerRuntime']['runtime'][number];
type Attention = NonNullable<RuntimeState['attention']>[number];

/** A trigger in the output. */
interface Shown {
  readonly project: string;
  readonly name: string;
  readonly source: 'trigger' | 'schedule' | 'file';
  readonly state:
    | 'on'
    | 'off'
    | 'paused'
    | 'running'
    | 'invalid'
    | 'not armed'
    | 'will fail'
    | 'limited';
  /** Why it needs attention, most urgent first. */
  readonly attention: readonly Attention[];
  /** Why it is in its state, if that is not its own setting. */
  readonly reason: string | null;
  readonly schedule: string | null;
  readonly nextFire: string | null;
  readonly lastRun: Pick<Run, 'id' | 'state' | 'outcome' | 'claimedAt'> | null;
  readonly costMonth: number | null;
}

/** Lists the triggers of one project or all projects. */
export const triggers: Command = {
  name: 'triggers',
  group: 'Inspect',
  summary: 'list triggers with their state and next run',
  arguments: { '[PROJECT]': 'project' },
  takes: 'one project, or none: svc triggers.',
  isRemote: true,
  description: `
List the triggers of one project or of all: state, schedule, next run in this machine's local time, last run, cost this month,
and why a trigger does not fire.
States: on, off, running, paused, limited, invalid (its entry is ignored), not armed, will fail.

  svc triggers
  svc triggers hello --json`,
  json: `{ "triggers": [{ project, name, source, state, reason, schedule, nextFire, lastRun, costMonth }] }; lastRun has
id, state, outcome and claimedAt. Times are ISO 8601 in UTC, costMonth is in US dollars; null means unknown or none.`,
  async run(context) {
    const [project] = context.arguments;
    const { terminal } = context;
    const shown = await withService(context, ({ api }) =>
      inProjects(api, project, (slug) => triggersIn(api, slug)),
    );
    printResult(context, { triggers: shown }, () =>
      shown.length === 0
        ? terminal.error('There are no triggers.')
        : printTable(terminal, shown, project === undefined ? [PROJECT, ...COLUMNS] : COLUMNS),
    );
    return 0;
  },
};

async function triggersIn(api: Api, project: string): Promise<Shown[]> {
  const params = { path: { slug: project } };
  const [listed, { runtime }] = await Promise.all([
    answerOf(
      api.GET('/api/projects/{slug}/triggers', { params }),
      'triggers',
      'legacySchedules',
      'invalid',
    ),
    answerOf(api.GET('/api/projects/{slug}/triggers/runtime', { params }), 'runtime'),
  ]);
  const states = new Map(runtime.map((state) => [`${state.source}/${state.name}`, state]));
  const of = (source: 'trigger' | 'schedule') => (entry: Entry) =>
    shownOf(project, source, entry, states.get(`${source}/${entry.name}`));
  const invalid = listed.invalid.map(({ name, source, issues }): Shown => {
    const reason = issues
      .map(({ path: field, message }) =>
        field === ''
          ? `${source === 'file' ? 'The file' : 'The entry'} ${message}`
          : `${field} ${message}`,
      )
      .join(' ');
    return {
      ...{ project, name, source, state: 'invalid', schedule: null, nextFire: null },
      ...{ reason, attention: [{ kind: 'invalid', reason }], lastRun: null, costMonth: null },
    };
  });
  const all = [
    ...listed.triggers.map(of('trigger')),
    ...listed.legacySchedules.map(of('schedule')),
    ...invalid,
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Entry = Pick<
  Schemas['ListedTrigger'],
  'name' | 'enabled' | 'schedule' | 'lastRun' | 'usage'
> & { readonly problem?: string };

function shownOf(
  project: string,
  source: 'trigger' | 'schedule',
  entry: Entry,
  state: RuntimeState | undefined,
): Shown {
  const { name, enabled, schedule, lastRun, usage, problem } = entry;
  const standing = stateOf(enabled, state);
  return {
    ...{ project, name, source, state: standing },
    reason: standing === 'off' ? null : (state?.reason ?? problem ?? null),
    attention: state?.attention ?? [],
    schedule: schedule?.description ?? null,
    nextFire: state?.nextFire ?? null,
    lastRun:
      lastRun === null
        ? null
        : {
            ...{ id: lastRun.id, state: lastRun.state, outcome: lastRun.outcome },
            claimedAt: lastRun.claimedAt,
          },
    costMonth: usage.month.cost,
  };
}

function stateOf(enabled: boolean, state: RuntimeState | undefined): Shown['state'] {
  if (state?.running) return 'running';
  if (!enabled) return 'off';
  if (state?.paused) return 'paused';
  if (!state?.armed) return 'not armed';
  const kinds = (state.attention ?? []).map(({ kind }) => kind);
  if (kinds.includes('unready')) return 'will fail';
  return kinds.includes('limited') ? 'limited' : 'on';
}

const TONES: Readonly<Record<Shown['state'], Tone | null>> = {
  on: 'good',
  off: 'quiet',
  paused: 'warn',
  running: 'good',
  invalid: 'bad',
  'not armed': 'bad',
  'will fail': 'bad',
  limited: 'warn',
};

function lastText({ lastRun }: Shown): string {
  if (lastRun === null) return '';
  return lastRun.outcome === null ? lastRun.state : outcomeWord(lastRun.outcome);
}

function lastTone({ lastRun }: Shown): Tone | null {
  if (lastRun?.outcome == null) return null;
  return lastRun.outcome === 'succeeded' ? 'good' : 'bad';
}

// The reason for its state, followed by other things that need attention.
function whyText({ reason, attention }: Shown): string {
  const reasons = attention.map((each) => each.reason);
  return [...new Set([...(reason === null ? [] : [reason]), ...reasons])].join(' ');
}

const PROJECT: Column<Shown> = { title: 'PROJECT', of: ({ project }) => project, least: 8 };
const COLUMNS: readonly Column<Shown>[] = [
  { title: 'TRIGGER', of: ({ name }) => name, least: 10 },
  { title: 'STATE', of: ({ state }) => state, tone: ({ state }) => TONES[state] },
  { title: 'SCHEDULE', of: ({ schedule }) => schedule ?? '', least: 10, dropped: 1 },
  { title: 'NEXT', of: ({ nextFire }) => (nextFire === null ? '' : formatLocalTime(nextFire)) },
  {
    title: 'LAST RUN',
    of: ({ lastRun }) => (lastRun === null ? '' : formatLocalTime(lastRun.claimedAt)),
    dropped: 3,
  },
  { title: 'OUTCOME', of: lastText, tone: lastTone, least: 8 },
  { title: 'MONTH', of: ({ costMonth }) => formatCost(costMonth), align: 'right', dropped: 2 },
  { title: 'WHY', of: whyText, least: 8, dropped: 4 },
];
