import type { LifecycleEvent, Outcome } from '../data/api-types.ts';

/** The run filter in the page address. */
export interface RunFilter {
  /** Name of a trigger. */
  readonly trigger?: string;
  /** Comma-separated outcomes. */
  readonly outcome?: string;
  /** First day, `2026-11-20`, of the viewer's calendar. */
  readonly from?: string;
}

/** The chat filter in the page address. */
export interface ChatFilter {
  /** Whether archived chats are included. Default: no. */
  readonly archived?: true;
}

/** The event filter in the page address. */
export interface EventFilter {
  readonly event?: LifecycleEvent['event'];
}

type Search = Readonly<Record<string, unknown>>;

/** Parses the filter of an address; unknown values are ignored. */
export function readRunFilter({ trigger, outcome, from }: Search): RunFilter {
  const day = String(from);
  return {
    ...(isText(trigger) && { trigger: String(trigger) }),
    ...(typeof outcome === 'string' && outcome !== '' && { outcome }),
    ...(/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && { from: day }),
  };
}

// A trigger name can look like a number.
function isText(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

export function readChatFilter({ archived }: Search): ChatFilter {
  return archived === true ? { archived } : {};
}

export function readEventFilter({ event }: Search): EventFilter {
  return event === 'onArchive' || event === 'afterTurn' ? { event } : {};
}

/** The outcomes of a filter; empty means all. */
export function outcomesOf({ outcome }: RunFilter): readonly Outcome[] {
  return outcome === undefined ? [] : (outcome.split(',') as Outcome[]);
}

/** The start of the first day of a filter in the local time zone, UTC ISO text. */
export function startOf(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}
