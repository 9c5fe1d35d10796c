import type { Clock, Logger } from '@svc/core';
import type { Tracer } from '@svc/engine';
import { createProviderLookup, type RuntimeModels } from './model-provider.ts';
import type { SpanResult } from './span.ts';
import type { SpanSinkOptions } from './span-sink.ts';
import { createTracer } from './tracer.ts';

/** A tracer and its export. */
export interface Traces {
  readonly tracer: Tracer;
  /** Exports pending spans, for at most a few seconds. */
  close(): Promise<void>;
}

/** Dependencies of tracing. */
export interface TracesDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the result of exported spans. */
  readonly onSpans: (result: SpanResult, count: number) => void;
}

/** The collector, the identity of this process and the models of its runtimes. */
export interface TracesOptions extends SpanSinkOptions {
  readonly models: RuntimeModels;
}

/** Starts tracing. The OpenTelemetry packages are loaded only now. */
export async function openTraces(
  deps: TracesDeps,
  { models, ...options }: TracesOptions,
): Promise<Traces> {
  const { createSpanSink } = await import('./span-sink.ts');
  const { write, isSampled, close } = createSpanSink(deps, options);
  const findProvider = createProviderLookup(models);
  return { tracer: createTracer({ clock: deps.clock, findProvider, isSampled, write }), close };
}
