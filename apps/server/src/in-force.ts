import type { InForce, SettingInForce } from '@svc/ops';
import type { Management } from './management.ts';
import type { SourcedValue } from './settings.ts';

type Shown = SettingInForce['value'];

const asItIs = (value: unknown): Shown => value as Shown;

function inUnits(units: readonly (readonly [size: number, name: string])[]) {
  return (value: unknown): Shown => {
    const [size, name] = units.find(([size]) => Number(value) % size === 0) ?? [1, ''];
    return `${Number(value) / size}${name}`;
  };
}

const duration = inUnits([
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
]);
const bytes = inUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
]);

const inDays = inUnits([
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
]);
const orNull =
  (show: (value: unknown) => Shown) =>
  (value: unknown): Shown =>
    value === null ? null : show(value);

// Somebody may have written a value where only the name of its variable belongs.
const variables = (value: unknown): Shown =>
  (value as readonly string[]).filter((name) => /^[A-Za-z_]\w*$/.test(name));

// What is not named here is not shown: a new setting may hold a secret, or not be honoured yet.
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
  'retention.runs': asItIs,
  'retention.age': orNull(inDays),
  'curator.delay': duration,
  'runtime.default': asItIs,
  'runtime.native.model': asItIs,
  'agents.env': variables,
  'agents.user': asItIs,
  'log.level': asItIs,
  'log.format': asItIs,
};

/** Tells what is in force: the settings that the service was started with, and the clients of this moment. */
export function createInForce(
  sourced: ReadonlyMap<string, SourcedValue>,
  management: Pick<Management, 'current'>,
): () => InForce {
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
