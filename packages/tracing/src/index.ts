export type { RuntimeModels } from './model-provider.ts';
export type { SpanResult } from './span.ts';
export type { SpanSinkOptions } from './span-sink.ts';
export { openTraces, type Traces, type TracesDeps, type TracesOptions } from './traces.ts';
