import type { Clock, Logger } from '@svc/core';
import type { Tracer } from '@svc/engine';
import type { Settings, TelemetrySettings } from '@svc/settings';
import type { Keys } from '../keys.ts';
import { createProviderLookup } from './model-provider.ts';
import type { SpanResult } from './span-result.ts';
import { createTracer } from './tracer.ts';

/** The tracer of an instance and its export. */
export interface Traces {
  readonly tracer: Tracer;
  /** Exports pending spans, for at most a few seconds. */
  close(): Promise<void>;
}

/** Dependencies of tracing. */
export interface TracesParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: Pick<Settings, 'telemetry' | 'runtime'>;
  readonly keys: Pick<Keys, 'of'>;
  readonly version: string;
  /** Id of this process among the servers that share its database. */
  readonly instance: string;
  readonly onSpans: (result: SpanResult, count: number) => void;
}

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

/** Starts tracing; null if it is disabled, in which case the OpenTelemetry packages are not loaded. */
export async function openTraces(parts: TracesParts): Promise<Traces | null> {
  const { clock, logger, settings, keys, version, instance, onSpans } = parts;
  const { traces, serviceName, resource } = settings.telemetry;
  const { url, ratio } = traces;
  if (url === null) return null;
  const problem = tracesProblem(traces, keys);
  if (problem !== null) {
    logger.warn({ error: problem }, 'cannot export traces');
    return null;
  }
  const headers = Object.fromEntries(
    Object.entries(traces.headers).map(([name, variable]) => [name, keys.of(variable) ?? '']),
  );
  const { createSpanSink } = await import('./span-sink.ts');
  const sink = createSpanSink(
    { clock, logger, onSpans },
    { url, headers, ratio, serviceName, resource, version, instance },
  );
  const { write, isSampled } = sink;
  const findProvider = createProviderLookup(settings.runtime);
  return { tracer: createTracer({ clock, findProvider, isSampled, write }), close: sink.close };
}
