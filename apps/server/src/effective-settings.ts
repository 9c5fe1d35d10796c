import type { EffectiveSetting, EffectiveSettings } from '@svc/ops';
import { originOf } from './alerting.ts';
import { shownAddress } from './database-settings.ts';
import type { Management } from './management.ts';
import { ageText, bytesText, durationText } from './setting-text.ts';
import type { SourcedValue } from './settings.ts';

type Shown = EffectiveSetting['value'];

const asItIs = (value: unknown): Shown => value as Shown;

const duration = (value: unknown): Shown => durationText(Number(value));
const bytes = (value: unknown): Shown => bytesText(Number(value));

const age = (value: unknown): Shown => ageText(Number(value));
const orNull =
  (show: (value: unknown) => Shown) =>
  (value: unknown): Shown =>
    value === null ? null : show(value);
const address = orNull((value) => shownAddress(String(value)));

// Users sometimes enter the value of a variable instead of its name; a value may be secret.
const variables = (value: unknown): Shown =>
  (value as readonly string[]).filter((name) => /^[A-Za-z_]\w*$/.test(name));

// Other settings are not shown: a new setting may hold a secret.
const SHOWN: Readonly<Record<string, (value: unknown) => Shown>> = {
  'server.host': asItIs,
  'server.port': asItIs,
  'server.publicHosts': asItIs,
  'server.drainTimeout': duration,
  'server.tls.certFile': asItIs,
  'server.tls.keyFile': asItIs,
  'auth.mode': asItIs,
  selfMcpEnabled: asItIs,
  selfMcpWriteEnabled: asItIs,
  selfMcpProjectsEnabled: asItIs,
  hooksMcpEnabled: asItIs,
  maxSpawnDepth: asItIs,
  'limits.concurrentTurns': asItIs,
  'limits.concurrentTurnsPerProject': asItIs,
  'limits.minInterval': duration,
  'limits.turnTimeout': duration,
  'limits.filesPerTurn': asItIs,
  'limits.bytesPerTurn': bytes,
  'limits.firesPerDay': asItIs,
  'limits.costPerDayUsd': asItIs,
  'database.url': address,
  'projects.dir': asItIs,
  'retention.runs': asItIs,
  'retention.age': orNull(age),
  'curator.delay': duration,
  'runtime.default': asItIs,
  'runtime.native.model': asItIs,
  'runtime.native.temperature': asItIs,
  'runtime.native.streamUsage': asItIs,
  'agents.env': variables,
  'agents.user': asItIs,
  'log.level': asItIs,
  'log.format': asItIs,
  'telemetry.traces.url': orNull((value) => originOf(String(value))),
  'telemetry.traces.ratio': asItIs,
  'telemetry.serviceName': asItIs,
  'telemetry.disabled': asItIs,
};

/** Creates a function that returns the effective settings, as resolved at start, and the current management clients. */
export function createEffectiveSettings(
  sourced: ReadonlyMap<string, SourcedValue>,
  management: Pick<Management, 'current'>,
): () => EffectiveSettings {
  const entries = Object.entries(SHOWN).flatMap(([key, show]) => {
    const found = sourced.get(key);
    return found === undefined
      ? []
      : [[key, { value: show(found.value), source: found.source }] as const];
  });
  const settings = Object.fromEntries(entries);
  return () => ({
    settings,
    clients: (management.current?.clients ?? []).map(({ clientId, scope }) => ({
      clientId,
      scope,
    })),
  });
}
