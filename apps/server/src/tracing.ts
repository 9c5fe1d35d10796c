import type { Settings, TelemetrySettings } from '@svc/settings';
import { openTraces, type Traces, type TracesDeps, type TracesOptions } from '@svc/tracing';
import type { Keys } from './keys.ts';

/** Why traces cannot be exported, and how to fix it; null if no problem is known. */
export function tracesProblem(
  { headers }: TelemetrySettings['traces'],
  keys: Pick<Keys, 'of'>,
): string | null {
  const missing = Object.entries(headers).find(([, variable]) => keys.of(variable) === null);
  if (missing === undefined) return null;
  const [header, variable] = missing;
  return `The value of the header ${header} is missing. Export ${variable} and restart svc.`;
}

/** Starts tracing as configured; null if it is disabled. */
export async function startTraces(
  deps: TracesDeps,
  { telemetry, runtime: models }: Pick<Settings, 'telemetry' | 'runtime'>,
  keys: Pick<Keys, 'of'>,
  identity: Pick<TracesOptions, 'version' | 'instance'>,
): Promise<Traces | null> {
  const { traces, serviceName, resource } = telemetry;
  const { url, ratio } = traces;
  if (url === null) return null;
  const problem = tracesProblem(traces, keys);
  if (problem !== null) {
    deps.logger.warn({ error: problem }, 'cannot export traces');
    return null;
  }
  const headers = Object.fromEntries(
    Object.entries(traces.headers).map(([name, variable]) => [name, keys.of(variable) ?? '']),
  );
  return openTraces(deps, { url, headers, ratio, serviceName, resource, models, ...identity });
}
