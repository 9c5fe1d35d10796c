import type { Runtime, TurnUse } from '@svc/agent-runtime';
import { localDay } from '@svc/core';
import type { Budget, Capability, Slug, TurnId } from '@svc/records';
import type { CostOwner } from '@svc/store';
import type { OpsDeps, WorkSettings } from '../deps.ts';
import type { DailyCostState } from '../overviews.ts';
import type { SpentLimit } from './spent-limit.ts';

/** What turns may cost on a day: those of a trigger, of a project, and all of them together. */
export interface DailyCost {
  /**
   * The limit for which a turn that may cost something does not begin any more today; null where it may begin. Of several
   * that are spent it is the one of the widest reach.
   *
   * @param model The model that the turn asks for, null for none.
   */
  refusal(
    runtime: Charging | undefined,
    model: string | null,
    limits: CostLimits,
  ): Promise<SpentLimit | null>;
  /** What this day has cost and may cost, all turns together; null without such a limit. */
  today(): Promise<DailyCostState | null>;
  /** The smallest remainder of the day, in millionths of a US dollar; null without a limit. */
  left(limits: CostLimits): Promise<number | null>;
  /** Keeps what a running turn has used so far; the limit for which it is to be ended, null where it may go on. */
  keep(turn: TurnId, used: TurnUse, limits: CostLimits): Promise<SpentLimit | null>;
}

/** The limits that hold for a turn beside that of the instance. */
export interface CostLimits {
  readonly project: Slug;
  /** US dollars a day, of the project; null for none. */
  readonly ofProject: number | null;
  /** Those of the triggers behind it. */
  readonly budgets: readonly Budget[];
}

/** The limits of a turn with a capability, in a project with these settings. */
export function costLimitsOf(
  project: Slug,
  settings: { readonly costPerDayUsd?: number | undefined } | null,
  { bounds = [] }: Pick<Capability, 'bounds'>,
): CostLimits {
  const budgets = bounds.flatMap(({ budget }) => budget ?? []);
  return { project, ofProject: settings?.costPerDayUsd ?? null, budgets };
}

/** What says whether turns of a runtime cost anything. */
interface Charging extends Pick<Runtime, 'runsSteps'> {
  readonly holds: Pick<Runtime['holds'], 'cost'>;
}

/** Where the cost of turns is kept. */
interface CostDeps {
  readonly clock: Pick<OpsDeps['clock'], 'now'>;
  readonly store: {
    readonly usage: Pick<OpsDeps['store']['usage'], 'costOn'>;
    readonly turns: Pick<OpsDeps['store']['turns'], 'used'>;
  };
}

interface Limit extends Pick<SpentLimit, 'name' | 'project' | 'trigger'> {
  readonly usd: number;
  /** Undefined: all turns. */
  readonly owner: CostOwner | undefined;
}

export function createDailyCost(
  { clock, store }: CostDeps,
  { costPerDayUsd: ofInstance = null }: Pick<WorkSettings, 'costPerDayUsd'>,
): DailyCost {
  const spent = (owner?: CostOwner) => store.usage.costOn(localDay(clock.now()), owner);
  const reached = async (
    limits: CostLimits,
    isReached: (cost: number, limit: number) => boolean,
  ): Promise<SpentLimit | null> => {
    for (const limit of limitsIn(limits, ofInstance)) {
      const cost = await spent(limit.owner);
      if (isReached(cost, microusd(limit.usd))) return spentOf(limit, cost);
    }
    return null;
  };
  return {
    async refusal(runtime, model, limits) {
      if (runtime === undefined || isFree(runtime, model)) return null;
      return reached(limits, (cost, limit) => cost >= limit);
    },
    async today() {
      return ofInstance === null ? null : { spent: (await spent()) / 1e6, limit: ofInstance };
    },
    async left(limits) {
      const all = limitsIn(limits, ofInstance);
      const left = await Promise.all(
        all.map(async ({ usd, owner }) => Math.max(0, microusd(usd) - (await spent(owner)))),
      );
      return left.length === 0 ? null : Math.min(...left);
    },
    async keep(turn, used, limits) {
      await store.turns.used(turn, used);
      return reached(limits, (cost, limit) => cost > limit);
    },
  };
}

// The one that stops most comes first.
function limitsIn({ project, ofProject, budgets }: CostLimits, ofInstance: number | null): Limit[] {
  const none = { project: null, trigger: null };
  return [
    ...(ofInstance === null
      ? []
      : [{ name: 'limits.costPerDayUsd', ...none, usd: ofInstance, owner: undefined } as const]),
    ...(ofProject === null
      ? []
      : [{ name: 'costPerDayUsd', ...none, project, usd: ofProject, owner: { project } } as const]),
    ...budgets.map((budget) => {
      const of = { project: budget.project, trigger: budget.trigger };
      return {
        ...({ name: 'policy.costPerDayUsd', ...of, usd: budget.costPerDayUsd } as const),
        owner: { budget: of },
      };
    }),
  ];
}

function spentOf({ name, project, trigger, usd }: Limit, cost: number): SpentLimit {
  const whose = trigger ?? project;
  const turns = whose === null ? 'Turns have' : `Turns of ${whose} have`;
  const of = whose === null ? ' of this instance' : ` of ${whose}`;
  const message = `${turns} cost ${dollars(cost)} today, and ${name}${of} is ${usd}. Turns that cost money start again tomorrow.`;
  return { name, project, trigger, message };
}

/** Whether turns of a runtime with this model cost nothing. */
export function isFree({ holds, runsSteps }: Charging, model: string | null): boolean {
  return holds.cost === 'none' || runsSteps?.(model) === true;
}

function microusd(usd: number): number {
  return Math.round(usd * 1e6);
}

// Rounded up, so that what has reached a limit is never told as less than it.
function dollars(cost: number): string {
  return `${(Math.ceil(cost / 10_000) / 100).toFixed(2)} US dollars`;
}
