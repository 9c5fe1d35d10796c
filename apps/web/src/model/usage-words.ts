import type { Run, Trigger } from '../data/shapes.ts';

/** What was used, as the service tells it; null where nobody knows. */
export interface Use {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly cost: number | null;
}

const PLAYBOOK = 'playbook';

/** An estimate: "about $0.12", "under $0.01"; "unknown" where nobody knows. */
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

/** A count: "12,400"; "unknown" where nobody knows. */
export function countedText(count: number | null): string {
  return count === null ? 'unknown' : count.toLocaleString('en-GB');
}

function tokensText({ tokensIn, tokensOut }: Use): string {
  return tokensIn === null && tokensOut === null
    ? 'tokens unknown'
    : `${countedText(tokensIn)} tokens in, ${countedText(tokensOut)} out`;
}

/** What worked on a run and what that used: "runtime native, model gpt-5; 1,204 tokens in, 310 out; about $0.12"; null before it began. */
export function runUseText(run: Run): string | null {
  const { runtime, model, state, cost, turns } = run;
  if (runtime === null) return null;
  const who = model === null ? `runtime ${runtime}` : `runtime ${runtime}, model ${model}`;
  const isFree = runtime === 'native' && (model === PLAYBOOK || (model === null && !knowsUse(run)));
  if (isFree) return who;
  if (!knowsUse(run) && (state !== 'ended' || turns === 0)) return who;
  const price = cost === null ? 'cost unknown' : costText(cost);
  return [who, tokensText(run), price].join('; ');
}

/** Whether anything is known of what was used. */
export function knowsUse({ tokensIn, tokensOut, cost }: Use): boolean {
  return tokensIn !== null || tokensOut !== null || cost !== null;
}

/** The most telling figure of a use: its cost, else its tokens; null where there is none above zero. */
function figure({ tokensIn, tokensOut, cost }: Use): string | null {
  if (cost !== null && cost > 0) return costText(cost);
  const tokens = (tokensIn ?? 0) + (tokensOut ?? 0);
  return tokens > 0 ? `${countedText(tokens)} tokens` : null;
}

/** What a trigger used: "about $1.20 this month, about $0.05 today"; null where nothing is known of it. */
export function triggerUseText({ today, month }: Trigger['usage']): string | null {
  const [all, now] = [figure(month), figure(today)];
  if (all === null) return null;
  return now === null || now === all ? `${all} this month` : `${all} this month, ${now} today`;
}

type Ran = Use & { readonly runs: number; readonly chatTurns: number };

/** What ran, and the tokens that it used as far as they are known: "12 runs, 3 chat turns, 1,204 tokens in, 310 out". */
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

/** What ran on a day, and what it used: "12 runs, 3 chat turns, 1,204 tokens in, 310 out, about $0.12"; null where nothing ran. */
export function dayText(day: Ran): string | null {
  if (day.runs + day.chatTurns === 0) return null;
  return day.cost === null ? ranText(day) : `${ranText(day)}, ${costText(day.cost)}`;
}

/** What of the limit of a day is spent: "$1.25 of at most $5.00 spent". */
export function limitText({ spent, limit }: { spent: number; limit: number }): string {
  const words = `${dollarsText(spent)} of ${dollarsText(limit)} spent`;
  return spent < limit ? words : `${words}: paid turns start again tomorrow`;
}
