import { createTimeSlice, isoTime, localDay, sentencesOf, startOfLocalDay } from '@svc/core';
import {
  type ArmedStates,
  type ArmedStatesIn,
  budgetOf,
  costLimitsOf,
  createDailyCost,
  createReadiness,
  type Definition,
  dailyLimits,
  definitionHash,
  definitionsOf,
  type EffectiveRuntime,
  type EffectiveRuntimeOf,
  type EngineSettings,
  type InvalidEntry,
  invalidOf,
  type PauseStanding,
  type PauseStandings,
  type Pauses,
  type PromptRemarks,
  type Readiness,
  runtimeFault,
  type SpentLimit,
  spentByAll,
  spentByTrigger,
} from '@svc/engine';
import type { ProjectSnapshot } from '@svc/projects';
import type { ClientBound, Slug, TriggerKey } from '@svc/records';
import type { DayUse, TriggerSigns } from '@svc/store';
import type { OpsDeps } from '../deps.ts';
import { type Attention, type AttentionItem, attentionOf } from './attention.ts';
import { nextFrom } from './upcoming.ts';

/** State of a valid trigger or legacy schedule. */
export interface TriggerStanding extends Armed {
  readonly definition: Definition;
  readonly pause: PauseStanding | null;
  readonly isRunning: boolean;
  readonly isFailing: boolean;
  readonly hasMissed: boolean;
  /** Why every run would currently fail; null if no reason is known. */
  readonly fault: string | null;
  /** The daily limit that prevents it from starting, and until when (milliseconds); null if none. */
  readonly limit: (SpentLimit & { readonly until: number }) | null;
  readonly effectiveRuntime: EffectiveRuntime;
  readonly attention: readonly Attention[];
}

/** State of the entries of a project. */
export interface ProjectStanding {
  /** In the order of the file, triggers first. */
  readonly triggers: readonly TriggerStanding[];
  readonly invalid: readonly InvalidEntry[];
  readonly running: number;
  /** Everything that needs attention. */
  readonly attention: readonly AttentionItem[];
}

/** Determines the state of projects that were already read, with a few queries for all of them. */
export type StandingsIn = (
  projects: readonly ProjectSnapshot[],
) => Promise<ReadonlyMap<Slug, ProjectStanding>>;

interface StandingParts {
  readonly armedIn: ArmedStatesIn;
  readonly effectiveRuntimeOf: EffectiveRuntimeOf;
  readonly pauses: Pick<Pauses, 'standingsIn'>;
  readonly remarks: Pick<PromptRemarks, 'faultOf'>;
}

const DAY_MS = 86_400_000;
// Longer than the rest of any day, and shorter than that plus the next day.
const INTO_NEXT_DAY_MS = 1.5 * DAY_MS;

export function createStandings(
  deps: OpsDeps,
  settings: EngineSettings,
  { armedIn, effectiveRuntimeOf, pauses, remarks }: StandingParts,
): StandingsIn {
  return async (projects) => {
    const now = deps.clock.now();
    const slugs = projects.map(({ slug }) => slug);
    const [signs, pauseOf, armed, limitOf] = await Promise.all([
      deps.store.runs.signs(slugs, isoTime(now - DAY_MS)),
      pauses.standingsIn(slugs),
      armedIn(projects),
      readLimits(deps, settings, projects, now),
    ]);
    const readiness = createReadiness(deps, settings);
    const timeSlice = createTimeSlice(deps.clock);
    const all = new Map<Slug, ProjectStanding>();
    for (const project of projects) {
      const { slug, file } = project;
      const own = signs.get(slug) ?? NO_SIGNS;
      const triggers: TriggerStanding[] = [];
      for (const definition of file === null ? [] : definitionsOf(slug, file)) {
        const found = { project, definition, signs: own, armed, pauseOf, limitOf, readiness };
        triggers.push(await standingOne({ effectiveRuntimeOf, remarks }, found));
        await timeSlice.yieldToEventLoop();
      }
      all.set(slug, withAttention(project, triggers, own.running.size));
    }
    return all;
  };
}

interface Found {
  readonly project: ProjectSnapshot;
  readonly definition: Definition;
  readonly signs: TriggerSigns;
  readonly armed: ArmedStates;
  readonly pauseOf: PauseStandings;
  readonly limitOf: LimitOf;
  readonly readiness: Readiness;
}

async function standingOne(
  { effectiveRuntimeOf, remarks }: Pick<StandingParts, 'effectiveRuntimeOf' | 'remarks'>,
  { project, definition, signs, armed, pauseOf, limitOf, readiness }: Found,
): Promise<TriggerStanding> {
  const { key, enabled, type, record } = definition;
  const settings = project.file?.settings ?? { keeper: {} };
  const effectiveRuntime = effectiveRuntimeOf(definition, settings);
  const name = `${key.source}/${key.name}`;
  const isFireable = enabled && type !== 'webhook';
  const limit = isFireable ? await limitOf(project, definition) : null;
  const fault = isFireable
    ? (runtimeFault(effectiveRuntime) ??
      remarks.faultOf(project, key.source, record) ??
      (await readiness(definition, settings)))
    : null;
  const facts = {
    ...{ definition, fault, limit, effectiveRuntime },
    ...standingOf(armed, definition, limit?.until ?? null),
    pause: enabled ? pauseOf(key) : null,
    isRunning: signs.running.has(name),
    isFailing: enabled && signs.failed.has(name),
    hasMissed: enabled && signs.missed.has(name),
  };
  return { ...facts, attention: attentionOf(facts) };
}

interface Armed {
  readonly armed: boolean;
  /** The next slot that may start, in milliseconds. */
  readonly nextFire: number | null;
  /** Whether its next slots have already run, before its clock was set back. */
  readonly isSilent: boolean;
  /** Why it is not armed; null if there is no reason. */
  readonly reason: string | null;
}

/** The armed state of a definition; event triggers are armed while enabled. `from` is the end of a limit, null if none. */
function standingOf(armed: ArmedStates, definition: Definition, from: number | null): Armed {
  const { key, type, enabled } = definition;
  const idle = { armed: false, nextFire: null, isSilent: false };
  if (type === 'webhook')
    return { ...idle, reason: 'Webhook triggers are reserved and do not fire yet.' };
  if (type === 'event')
    return { ...idle, armed: enabled, reason: enabled ? null : 'It is disabled.' };
  const state = armed.state(key);
  const reason = state?.error ?? (enabled ? null : 'It is disabled.');
  const isSilent = (state?.clock?.silentUntil ?? null) !== null;
  const nextFire = from === null ? state?.nextFire : nextFrom(armed, definition, from);
  return { armed: state?.armed ?? false, nextFire: nextFire ?? null, isSilent, reason };
}

function withAttention(
  project: ProjectSnapshot,
  triggers: readonly TriggerStanding[],
  running: number,
): ProjectStanding {
  const invalid = invalidOf(project);
  return { triggers, invalid, running, attention: attentionIn(project, triggers) };
}

function attentionIn(
  project: Pick<ProjectSnapshot, 'slug' | 'file' | 'faults' | 'isUnconfirmed'>,
  triggers: readonly Pick<TriggerStanding, 'definition' | 'attention'>[],
): AttentionItem[] {
  const attention: AttentionItem[] = invalidOf(project).map(({ source, name, kind, issues }) => ({
    ...{ project: project.slug, source, name },
    kind,
    reason: sentencesOf(issues, source === 'file' ? 'The file' : 'The entry'),
  }));
  for (const { definition, attention: own } of triggers) {
    const { source, name } = definition.key;
    attention.push(...own.map((each) => ({ project: project.slug, source, name, ...each })));
  }
  return attention;
}

/**
 * What needs attention in a project according to its files alone, when no service is running.
 *
 * @param faultOf why every fire of a definition would fail, in a sentence; null if no reason is known
 */
export function attentionOfFiles(
  project: Pick<ProjectSnapshot, 'slug' | 'file' | 'faults' | 'isUnconfirmed'>,
  faultOf: (definition: Definition) => string | null,
): readonly AttentionItem[] {
  const { slug, file } = project;
  const unknown = { armed: true, reason: null, pause: null, isFailing: false, limit: null };
  const triggers = (file === null ? [] : definitionsOf(slug, file)).map((definition) => {
    const fault = faultOf(definition);
    return { definition, attention: attentionOf({ ...unknown, definition, fault }) };
  });
  return attentionIn(project, triggers);
}

type LimitOf = (
  project: ProjectSnapshot,
  definition: Definition,
) => Promise<TriggerStanding['limit']>;

/** Reads the counts for the limits of these projects once; nothing if they have no limits. */
async function readLimits(
  deps: OpsDeps,
  settings: EngineSettings,
  projects: readonly ProjectSnapshot[],
  now: number,
): Promise<LimitOf> {
  const budgets = await deps.store.triggers.budgets();
  if (budgets.size === 0 && !hasLimits(settings, projects)) return async () => null;
  const day = await deps.store.usage.dayUse(localDay(now));
  const until = startOfLocalDay(startOfLocalDay(now) + INTO_NEXT_DAY_MS);
  const usage = {
    costOn: async (_: string, of?: Parameters<DayUse['costOf']>[0]) => day.costOf(of),
  };
  const cost = createDailyCost({ ...deps, store: { usage, turns: deps.store.turns } }, settings);
  return async ({ file }, definition) => {
    const { key, run, record } = definition;
    const project = file?.settings ?? null;
    const { ofTrigger, ofAll } = dailyLimits(definition, settings, now);
    const fires = spentFiresOf(key, day, { ofTrigger, ofAll });
    if (fires !== null) return { ...fires, until };
    const set: readonly ClientBound[] =
      key.source === 'trigger'
        ? (budgets.get(`${key.project}/${key.name}/${definitionHash(record)}`) ?? [])
        : [];
    const bounds = [...set, ...budgetOf(definition)];
    const limits = costLimitsOf(key.project, project, { bounds });
    const keeper = project?.keeper ?? {};
    const runtime = deps.runtimes.get(run.runtime ?? keeper.runtime ?? settings.defaultRuntime);
    const spent = await cost.refusal(runtime, run.model ?? keeper.model ?? null, limits);
    return spent === null ? null : { ...spent, until };
  };
}

function hasLimits(
  { firesPerDay = null, costPerDayUsd = null }: EngineSettings,
  projects: readonly ProjectSnapshot[],
): boolean {
  if (firesPerDay !== null || costPerDayUsd !== null) return true;
  return projects.some(({ file }) => {
    if (file === null) return false;
    if (file.settings.costPerDayUsd !== undefined) return true;
    return [...file.triggers.values()].some(({ record: { policy } }) => {
      return policy?.firesPerDay !== undefined || policy?.costPerDayUsd !== undefined;
    });
  });
}

function spentFiresOf(
  key: TriggerKey,
  day: DayUse,
  { ofTrigger, ofAll }: { readonly ofTrigger: number | null; readonly ofAll: number | null },
): SpentLimit | null {
  if (ofAll !== null && day.fires >= ofAll) return spentByAll(ofAll);
  if (ofTrigger === null || day.firesOf(key) < ofTrigger) return null;
  return spentByTrigger({ project: key.project, trigger: key.name }, ofTrigger);
}

const NONE: ReadonlySet<string> = new Set();
const NO_SIGNS: TriggerSigns = { failed: NONE, missed: NONE, running: NONE };
