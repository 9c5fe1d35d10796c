import { ageText, durationText, type Settings } from '@svc/settings';
import type { Traits } from '@svc/store';

/** The settings that must be equal on all servers that share a database, with their values here. */
export function sharedSettingsOf(settings: Settings): Traits {
  const { limits, retention, runtime, maxSpawnDepth } = settings;
  const { minIntervalMs, turnTimeoutMs, concurrentTurnsPerProject } = limits;
  const orNone = (value: number | null, show: (value: number) => string = String): string =>
    value === null ? 'none' : show(value);
  return {
    'The time zone': new Intl.DateTimeFormat().resolvedOptions().timeZone,
    'limits.minInterval': durationText(minIntervalMs),
    'limits.turnTimeout': durationText(turnTimeoutMs),
    'limits.concurrentTurnsPerProject': String(concurrentTurnsPerProject),
    'limits.firesPerDay': orNone(limits.firesPerDay),
    'limits.costPerDayUsd': orNone(limits.costPerDayUsd),
    'retention.runs': orNone(retention.runs),
    'retention.age': orNone(retention.ageMs, ageText),
    'runtime.default': runtime.default,
    maxSpawnDepth: String(maxSpawnDepth),
  };
}
