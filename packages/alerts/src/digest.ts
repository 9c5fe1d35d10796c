import type { RunSum, TriggerOf } from './ports.ts';

/** Current problems of triggers, by project. */
export interface StandingTrouble {
  readonly project: string;
  /** Triggers whose newest turn failed. */
  readonly failing: number;
  /** Paused triggers, individually or because all are paused. */
  readonly paused: number;
  /** Invalid entries of `project.yaml`. */
  readonly invalid: number;
  /** Triggers whose next run would fail with the current configuration. */
  readonly unready: number;
  /** Triggers that a daily limit prevents from starting today. */
  readonly limited: number;
}

const MOST_TRIGGERS = 200;
const MOST_PROJECTS = 200;
const HOUR = 8;
const MONDAY = 1;

/** The newest Monday, 08:00 host time, at or before an instant; both in milliseconds since 1970. */
export function digestSlot(now: number): number {
  const slot = new Date(now);
  slot.setHours(HOUR, 0, 0, 0);
  slot.setDate(slot.getDate() - ((slot.getDay() - MONDAY + 7) % 7));
  if (slot.getTime() > now) slot.setDate(slot.getDate() - 7);
  return slot.getTime();
}

interface ShownSum extends Omit<Sum, 'costMicrousd'> {
  /** Estimated US dollars; null if no turn reported a cost. */
  readonly cost: number | null;
}

type Sum = Omit<RunSum, keyof TriggerOf>;

/** The content of a digest, with `from` and `to` as UTC ISO texts. */
export interface Digest {
  readonly from: string;
  readonly to: string;
  readonly total: ShownSum;
  /** The triggers with the most failures first. */
  readonly triggers: readonly (TriggerOf & ShownSum)[];
  /** Projects with current problems. */
  readonly now: readonly StandingTrouble[];
  /** How many are omitted from `triggers` and `now`. */
  readonly leftOut: { readonly triggers: number; readonly projects: number };
}

/** The content of a digest: what happened between two instants, and current problems. */
export function digestOf(
  { from, to }: { readonly from: string; readonly to: string },
  sums: readonly RunSum[],
  trouble: readonly StandingTrouble[],
): Digest {
  const worstFirst = [...sums].sort(
    (a, b) => b.failures - a.failures || b.missed - a.missed || b.runs - a.runs,
  );
  const broken = trouble.filter(isInTrouble);
  return {
    from,
    to,
    total: totalOf(sums),
    triggers: worstFirst.slice(0, MOST_TRIGGERS).map(shown),
    now: broken.slice(0, MOST_PROJECTS),
    leftOut: {
      triggers: Math.max(0, sums.length - MOST_TRIGGERS),
      projects: Math.max(0, broken.length - MOST_PROJECTS),
    },
  };
}

function isInTrouble(trouble: StandingTrouble): boolean {
  const { failing, paused, invalid, unready, limited } = trouble;
  return failing + paused + invalid + unready + limited > 0;
}

function shown({ project, source, trigger, ...sum }: RunSum): TriggerOf & ShownSum {
  return { project, source, trigger, ...shownSum(sum) };
}

function shownSum({ costMicrousd, ...counts }: Sum): ShownSum {
  return { ...counts, cost: costMicrousd === null ? null : costMicrousd / 1e6 };
}

function totalOf(sums: readonly RunSum[]): ShownSum {
  const add = (pick: (sum: RunSum) => number) => sums.reduce((total, sum) => total + pick(sum), 0);
  const costs = sums.flatMap(({ costMicrousd }) => costMicrousd ?? []);
  return shownSum({
    runs: add(({ runs }) => runs),
    failures: add(({ failures }) => failures),
    missed: add(({ missed }) => missed),
    skipped: add(({ skipped }) => skipped),
    costMicrousd: costs.length === 0 ? null : costs.reduce((total, cost) => total + cost, 0),
  });
}
