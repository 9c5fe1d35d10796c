import type { Run, Trigger } from '../data/api-types.ts';

/** The usage of a run, a trigger or a project; null values are unknown. */
export interface UsageValues {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly cost: number | null;
}

const PLAYBOOK = 'playbook';

/** An estimated cost: "about $0.12", "under $0.01"; "unknown" for null. */
export function costText(cost: number | null): string {
  if (cost === null) return 'unknown';
  if (cost === 0) return 'no cost';
  if (cost < 0.01) return 'under $0.01';
  return `about ${dollarsText(cost)}`;
}

function dollarsText(usd: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${usd.toLocaleString('en-GB', digits)}`;
}

/** A count: "12,400"; "unknown" for null. */
export function countedText(count: number | null): string {
  return count === null ? 'unknown' : count.toLocaleString('en-GB');
}

function tokensText({ tokensIn, tokensOut }: UsageValues): string {
  return tokensIn === null && tokensOut === null
    ? 'tokens unknown'
    : `${countedText(tokensIn)} tokens in, ${countedText(tokensOut)} out`;
}

/**
 * The runtime and the usage of a run: "runtime native, model gpt-5; 1,204 tokens in, 310 out; about $0.12"; null before it
 * started.
 */
export function runUseText(run: Run): string | null {
  const { runtime, model, state, cost, turns } = run;
  if (runtime === null) return null;
  const who = model === null ? `runtime ${runtime}` : `runtime ${runtime}, model ${model}`;
  const isFree =
    runtime === 'native' && (model === PLAYBOOK || (model === null && !isUsageKnown(run)));
  if (isFree) return who;
  if (!isUsageKnown(run) && (state !== 'ended' || turns === 0)) return who;
  const price = cost === null ? 'cost unknown' : costText(cost);
  return [who, tokensText(run), price].join('; ');
}

/** Whether any usage value is known. */
export function isUsageKnown({ tokensIn, tokensOut, cost }: UsageValues): boolean {
  return tokensIn !== null || tokensOut !== null || cost !== null;
}

/** The most informative value of a usage: its cost, else its tokens; null when neither is above zero. */
function mainValueText({ tokensIn, tokensOut, cost }: UsageValues): string | null {
  if (cost !== null && cost > 0) return costText(cost);
  const tokens = (tokensIn ?? 0) + (tokensOut ?? 0);
  return tokens > 0 ? `${countedText(tokens)} tokens` : null;
}

/** The usage of a trigger: "about $1.20 this month, about $0.05 today"; null when nothing is known. */
export function triggerUseText({ today, month }: Trigger['usage']): string | null {
  const [all, now] = [mainValueText(month), mainValueText(today)];
  if (all === null) return null;
  return now === null || now === all ? `${all} this month` : `${all} this month, ${now} today`;
}

type Ran = UsageValues & { readonly runs: number; readonly chatTurns: number };

/** The number of runs and turns, and their known tokens: "12 runs, 3 chat turns, 1,204 tokens in, 310 out". */
function ranText(use: Ran): string {
  const { runs, chatTurns, tokensIn, tokensOut } = use;
  return [
    runs === 0 ? [] : `${countedText(runs)} ${runs === 1 ? 'run' : 'runs'}`,
    chatTurns === 0 ? [] : `${countedText(chatTurns)} chat ${chatTurns === 1 ? 'turn' : 'turns'}`,
    tokensIn === null && tokensOut === null ? [] : tokensText(use),
  ]
    .flat()
    .join(', ');
}

/** The usage of a day: "12 runs, 3 chat turns, 1,204 tokens in, 310 out, about $0.12"; null when nothing ran. */
export function dayText(day: Ran): string | null {
  if (day.runs + day.chatTurns === 0) return null;
  return day.cost === null ? ranText(day) : `${ranText(day)}, ${costText(day.cost)}`;
}

/** The spent part of a daily limit: "$1.25 of $5.00 spent". */
export function limitText({ spent, limit }: { spent: number; limit: number }): string {
  const words = `${dollarsText(spent)} of ${dollarsText(limit)} spent`;
  return spent < limit ? words : `${words}: paid turns start again tomorrow`;
}
