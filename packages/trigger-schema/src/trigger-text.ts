import { isRecord } from '@svc/core';
import { agentNameOf } from '@svc/records';
import { parseInterval } from '@svc/recurrence';
import type { LegacySchedule } from './legacy-schedule.schema.ts';
import type { NamedTrigger, TriggerRecord } from './trigger-record.schema.ts';

/** The record in a response: with its name and the label of its agent, `trigger-<slug>-<name>`. */
export function effectiveRecord(name: string, slug: string, record: TriggerRecord): NamedTrigger {
  return { name, agentName: agentNameOf(slug, name), ...record };
}

interface Clock {
  readonly cron?: string;
  readonly interval?: string;
  readonly timezone?: string;
}

/**
 * Canonical text of a schedule: two records with the same text fire at the same times. Null for a trigger that is
 * not a schedule. Spaces in a cron expression and the unit of an interval make no difference.
 */
export function scheduleText(record: TriggerRecord | LegacySchedule): string | null {
  const clock = ('trigger' in record ? record.trigger : record) as Clock;
  if (clock.cron !== undefined) {
    return canonical(['cron', clock.cron.trim().split(/\s+/).join(' '), clock.timezone ?? null]);
  }
  if (clock.interval === undefined) return null;
  const parsed = parseInterval(clock.interval, { anchor: 0 });
  return canonical(['interval', parsed.ok ? parsed.value.periodMs : clock.interval]);
}

/** Canonical text of a whole record: two records with the same text are equal, whatever the order of their keys. */
export function definitionText(record: TriggerRecord | LegacySchedule): string {
  return canonical(record);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
