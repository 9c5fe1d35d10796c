import type { Runtime, TurnUse } from '@svc/agent-runtime';
import { localDay } from '@svc/core';
import type { Budget, Capability, Slug, TurnId } from '@svc/records';
import type { CostOwner } from '@svc/store';
import type { EngineDeps, EngineSettings } from '../deps.ts';
import type { SpentLimit } from './spent-limit.ts';

/** Cost of all turns today, and the limit, in US dollars. */
export interface DailyCostState {
  readonly spent: number;
  readonly limit: number;
}

/** What a turn may still cost today. */
export interface RemainingCost {
  /** The limit that prevents the turn from starting; null if none. */
  readonly spent: SpentLimit | null;
  /** In millionths of a US dollar; null without a limit, or if the turn costs nothing. */
  readonly left: number | null;
}

/** Daily cost limits of a trigger, of a project, and of the instance. */
export interface DailyCost {
  /**
   * The limit that prevents a turn that may cost something from starting today; null if none. If several are reached,
   * the one with the widest effect.
   *
   * @param model model requested by the turn, null if none.
   */
  refusal(
    runtime: Charging | undefined,
    model: string | null,
    limits: CostLimits,
  ): Promise<SpentLimit | null>;
  /** Cost and limit of all turns today; null without a limit. */
  today(): Promise<DailyCostState | null>;
  /** What a turn may still cost today, and the limit that prevents it from starting. */
  remaining(runtime: Charging, model: string | null, limits: CostLimits): Promise<RemainingCost>;
  /** Stores the usage of a running turn so far. Returns the limit because of which it must end; null if it may continue. */
  keep(turn: TurnId, used: TurnUse, limits: CostLimits): Promise<SpentLimit | null>;
}

/** The limits of a turn besides that of the instance. */
export interface CostLimits {
  readonly project: Slug;
  /** US dollars per day, of the project; null if none. */
  readonly ofProject: number | null;
  /** Budgets of the triggers behind it. */
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

/** Determines whether turns of a runtime cost anything. */
interface Charging extends Pick<Runtime, 'runsSteps'> {
  readonly holds: Pick<Runtime['holds'], 'cost'>;
}

/** Where costs are stored. */
interface CostDeps {
  readonly clock: Pick<EngineDeps['clock'], 'now'>;
  readonly store: {
    readonly usage: Pick<EngineDeps['store']['usage'], 'costOn'>;
    readonly turns: Pick<EngineDeps['store']['turns'], 'used'>;
  };
}

interface Limit extends Pick<SpentLimit, 'name' | 'project' | 'trigger'> {
  readonly usd: number;
  /** undefined: all turns. */
  readonly owner: CostOwner | undefined;
}

export function createDailyCost(
  { clock, store }: CostDeps,
  { costPerDayUsd: ofInstance = null }: Pick<EngineSettings, 'costPerDayUsd'>,
): DailyCost {
  const spent = (owner?: CostOwner) => store.usage.costOn(localDay(clock.now()), owner);
  const remaining: DailyCost['remaining'] = async (runtime, model, limits) => {
    const all = isFree(runtime, model) ? [] : limitsIn(limits, ofInstance);
    const costs = await Promise.all(all.map(({ owner }) => spent(owner)));
    const left = all.map(({ usd }, n) => microusd(usd) - (costs[n] ?? 0));
    const reached = left.findIndex((amount) => amount <= 0);
    const limit = all[reached];
    return {
      spent: limit === undefined ? null : spentOf(limit, costs[reached] ?? 0),
      left: left.length === 0 ? null : Math.max(0, Math.min(...left)),
    };
  };
  return {
    remaining,
    async refusal(runtime, model, limits) {
      return runtime === undefined ? null : (await remaining(runtime, model, limits)).spent;
    },
    async today() {
      return ofInstance === null ? null : { spent: (await spent()) / 1e6, limit: ofInstance };
    },
    async keep(turn, used, limits) {
      await store.turns.used(turn, used);
      for (const limit of limitsIn(limits, ofInstance)) {
        const cost = await spent(limit.owner);
        if (cost > microusd(limit.usd)) return spentOf(limit, cost);
      }
      return null;
    },
  };
}

// The limit with the widest effect comes first.
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
  const of = whose === null ? ' of this instance' : ` of ${whose}`;
  const message = `Daily cost limit${of} reached: ${dollars(cost)} today (${name}: ${usd}). Turns that cost money start again tomorrow.`;
  return { name, project, trigger, message };
}

/** Whether turns of a runtime with this model are free. */
function isFree({ holds, runsSteps }: Charging, model: string | null): boolean {
  return holds.cost === 'none' || runsSteps?.(model) === true;
}

function microusd(usd: number): number {
  return Math.round(usd * 1e6);
}

// Rounded up, so that a reached limit never appears as not reached.
function dollars(cost: number): string {
  return `${(Math.ceil(cost / 10_000) / 100).toFixed(2)} US dollars`;
}
