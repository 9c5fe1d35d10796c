import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  type IdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import {
  ATTR_ERROR_TYPE,
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import type { Span, SpanResult } from './span.ts';
import { createSpanProcessor } from './span-processor.ts';

/** Exports spans to a collector. */
export interface SpanSink {
  write(span: Span): void;
  isSampled(traceId: string): boolean;
  /** Exports pending spans, for at most three seconds. */
  close(): Promise<void>;
}

/** Target and identity for exported spans. */
export interface SpanSinkOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ratio: number;
  readonly serviceName: string | null;
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
  readonly instance: string;
}

// A stop must not wait longer for an unresponsive collector.
const CLOSE_MS = 3000;

/** Creates a sink from the OpenTelemetry packages, without registering anything globally. */
export function createSpanSink(
  deps: {
    readonly clock: Clock;
    readonly logger: Logger;
    readonly onSpans: (result: SpanResult, count: number) => void;
  },
  options: SpanSinkOptions,
  exporter: SpanExporter = exporterTo(options),
): SpanSink {
  const { url, ratio, version } = options;
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const ids = createGivenIds();
  const provider = new BasicTracerProvider({
    resource: resourceOf(options),
    // The decision depends only on the trace id, so all processes make the same one.
    sampler,
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: 1000 },
    spanProcessors: [createSpanProcessor(deps, exporter, url)],
  });
  const tracer = provider.getTracer('svc', version);
  return {
    isSampled: (traceId) =>
      sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED,
    write(span) {
      try {
        ids.give(span);
        writeSpan(tracer, span);
      } catch (error) {
        // A failure to record a span must not affect the turn.
        deps.logger.debug({ span: span.name, error: messageOf(error) }, 'span lost');
      }
    },
    close: () => within(deps.clock, provider.shutdown(), CLOSE_MS),
  };
}

// The exporter itself reads timeout, compression and certificates from the OpenTelemetry variables.
function exporterTo({ url, headers }: SpanSinkOptions): SpanExporter {
  return new OTLPTraceExporter({ url, headers: { ...headers } });
}

function resourceOf({ resource, serviceName, version, instance }: SpanSinkOptions): Resource {
  return resourceFromAttributes({
    [ATTR_SERVICE_VERSION]: version,
    [ATTR_SERVICE_INSTANCE_ID]: instance,
    ...resource,
    [ATTR_SERVICE_NAME]: serviceName ?? resource[ATTR_SERVICE_NAME] ?? 'svc',
  });
}

/** Supplies the ids of the next span. */
function createGivenIds(): IdGenerator & { give(span: Span): void } {
  let next: Pick<Span, 'traceId' | 'id'> = { traceId: '', id: '' };
  return {
    give(span) {
      next = span;
    },
    generateTraceId: () => next.traceId,
    generateSpanId: () => next.id,
  };
}

const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

const MAX_NAME_LENGTH = 200;

function writeSpan(tracer: ReturnType<BasicTracerProvider['getTracer']>, span: Span): void {
  const { traceId, parent, error } = span;
  const above = { traceId, spanId: parent ?? '', traceFlags: TraceFlags.SAMPLED };
  const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
  const known = Object.entries(span.attributes).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  const made = tracer.startSpan(
    span.name.slice(0, MAX_NAME_LENGTH),
    { kind: KINDS[span.kind], startTime: span.begin, attributes: Object.fromEntries(known) },
    context,
  );
  if (error !== null) {
    made.setAttribute(ATTR_ERROR_TYPE, error.type);
    const message = error.message?.slice(0, 1000);
    made.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
  }
  made.end(Math.max(span.begin, span.end));
}

async function within(clock: Clock, work: Promise<void>, ms: number): Promise<void> {
  let timer: TimerHandle | null = null;
  const late = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms);
  });
  // Export errors have already been logged.
  await Promise.race([work.catch(() => {}), late]);
  if (timer !== null) clock.clearTimeout(timer);
}
