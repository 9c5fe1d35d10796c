import type { LifecycleEvent, Outcome } from '../data/shapes.ts';

/** Which runs are listed, as the address of the page says it. */
export interface RunFilter {
  /** Name of a trigger. */
  readonly trigger?: string;
  /** Outcomes with commas between them. */
  readonly outcome?: string;
  /** First day, `2026-11-20`, of the viewer's calendar. */
  readonly from?: string;
}

/** Which chats are listed, as the address of the page says it. */
export interface ChatFilter {
  /** Whether archived chats are among them. Default: no. */
  readonly archived?: true;
}

/** Which events are listed, as the address of the page says it. */
export interface EventFilter {
  readonly event?: LifecycleEvent['event'];
}

type Search = Readonly<Record<string, unknown>>;

/** Takes the filter out of an address; what is not understood is left out. */
export function readRunFilter({ trigger, outcome, from }: Search): RunFilter {
  const day = String(from);
  return {
    ...(isText(trigger) && { trigger: String(trigger) }),
    ...(typeof outcome === 'string' && outcome !== '' && { outcome }),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && { from: day }),
  };
}

// The name of a trigger may look like a number.
function isText(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

export function readChatFilter({ archived }: Search): ChatFilter {
  return archived === true ? { archived } : {};
}

export function readEventFilter({ event }: Search): EventFilter {
  return event === 'onArchive' || event === 'afterTurn' ? { event } : {};
}

/** The outcomes of a filter; empty for all. */
export function outcomesOf({ outcome }: RunFilter): readonly Outcome[] {
  return outcome === undefined ? [] : (outcome.split(',') as Outcome[]);
}

/** When the first day of a filter begins where the viewer is, UTC ISO text. */
export function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}
