import type { Attention, OperationResults, RuntimeState } from '@svc/ops';
import type { Run } from '@svc/records';
import { formatCost, formatLocalTime } from '../formatting.ts';
import { type Column, printTable, type Tone } from '../table.ts';
import { type ExitCode, UsageError } from '../terminal.ts';
import type { VerbContext } from './context.ts';
import { forEach, projectPath, projectsOf, withNameSuggestions } from './names.ts';
import { outcomeWord } from './runs.ts';
import { type ServiceAccess, withService } from './service-access.ts';

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
export async function triggersVerb(context: VerbContext): Promise<ExitCode> {
  const [project, ...rest] = context.arguments;
  if (rest.length > 0) throw new UsageError('triggers takes one project, or none: svc triggers.');
  const shown = await withService(context, async (service) => {
    const slugs = project === undefined ? await projectsOf(service) : [project];
    const ask = (slug: string) =>
      withNameSuggestions(service, slug, null, () => triggersIn(service, slug));
    return (await forEach(slugs, ask)).flat();
  });
  const { terminal, options } = context;
  if (options['json'] === true) terminal.text(JSON.stringify({ triggers: shown }, null, 2));
  else if (shown.length === 0) terminal.error('There are no triggers.');
  else printTable(terminal, shown, project === undefined ? [PROJECT, ...COLUMNS] : COLUMNS);
  return 0;
}

type Listed = OperationResults['list_trigger_records'];

async function triggersIn(service: ServiceAccess, project: string): Promise<Shown[]> {
  const path = `${projectPath(project)}/triggers`;
  const asked = { method: 'GET', input: { project } } as const;
  const [listed, { runtime }] = await Promise.all([
    service.call<Listed>({ ...asked, row: 'list_trigger_records', path }),
    service.call<OperationResults['read_trigger_runtime']>({
      ...{ ...asked, row: 'read_trigger_runtime', path: `${path}/runtime` },
    }),
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
  Listed['triggers'][number],
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
