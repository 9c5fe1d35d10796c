import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Logger, messageOf } from '@svc/core';
import { originOf } from '../alerting.ts';
import type { SpanResult } from './counted-spans.ts';

// Those that are on their way count, too: a collector that hangs costs so much memory and no more.
const MOST_WAITING = 2048;

/**
 * Sends spans in batches, behind the back of whoever ends them. Past 2,048 that wait, more are left out. The log has a line
 * when sending begins to fail, and one when it works again.
 */
export function createSending(
  deps: {
    readonly logger: Logger;
    readonly onSpans: (result: SpanResult, count: number) => void;
  },
  exporter: SpanExporter,
  url: string,
): SpanProcessor {
  const { logger, onSpans } = deps;
  const to = originOf(url);
  let waiting = 0;
  let lost: number | null = null;
  const told = (count: number, { code, error }: ExportResult): void => {
    waiting -= count;
    const isSent = code === ExportResultCode.SUCCESS;
    onSpans(isSent ? 'sent' : 'failed', count);
    if (isSent && lost !== null) {
      logger.info({ to, lost }, 'traces are sent again');
      lost = null;
    }
    if (isSent) return;
    if (lost === null) logger.warn({ to, error: wordsOf(error) }, 'traces cannot be sent');
    lost = (lost ?? 0) + count;
  };
  const batches = new BatchSpanProcessor(
    {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          told(spans.length, result);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    },
    { maxQueueSize: MOST_WAITING },
  );
  return {
    onStart() {},
    onEnd(span) {
      if (waiting < MOST_WAITING) {
        waiting += 1;
        batches.onEnd(span);
        return;
      }
      onSpans('dropped', 1);
      if (lost !== null) lost += 1;
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

// What a collector answers is its own; the number says what is wrong.
function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'number' ? `It answered with the status ${code}.` : messageOf(error);
}
