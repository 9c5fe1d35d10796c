import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Clock, type Logger, messageOf, type TimerHandle } from '@svc/core';
import { originOf } from '../alerting.ts';
import type { SpanResult } from './counted-spans.ts';

// Those that are on their way count, too: a collector that hangs costs so much memory and no more.
const MOST_WAITING = 2048;
// A collector that answers byte by byte is never silent, and never done.
const PATIENCE_MS = 30_000;
const AT_ONCE = 512;

/**
 * Sends spans in batches, behind the back of whoever ends them. Past 2,048 that wait, more are left out. The log has a line
 * when sending begins to fail, and one when it works again.
 */
export function createSending(
  deps: {
    readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>;
    readonly logger: Logger;
    readonly onSpans: (result: SpanResult, count: number) => void;
  },
  exporter: SpanExporter,
  url: string,
): SpanProcessor {
  const { clock, logger, onSpans } = deps;
  const deadlines = new Set<TimerHandle>();
  const giveUp = (deadline: TimerHandle): void => {
    clock.clearTimeout(deadline);
    deadlines.delete(deadline);
  };
  // Whoever closes it sets an end by himself.
  let isClosing = false;
  const to = originOf(url);
  let waiting = 0;
  let lost: number | null = null;
  const told = (count: number, { code, error }: ExportResult): void => {
    waiting -= count;
    const isSent = code === ExportResultCode.SUCCESS;
    onSpans(isSent ? 'sent' : 'failed', count);
    if (isSent && lost !== null) {
      logger.info({ to, lost }, 'exporting traces again');
      lost = null;
    }
    if (isSent) return;
    if (lost === null) logger.warn({ to, error: wordsOf(error) }, 'cannot export traces');
    lost = (lost ?? 0) + count;
  };
  const batches = new BatchSpanProcessor(
    {
      export(spans, done) {
        let isOver = false;
        let deadline: TimerHandle | null = null;
        const end = (result: ExportResult): void => {
          if (isOver) return;
          isOver = true;
          if (deadline !== null) giveUp(deadline);
          told(spans.length, result);
          done(result);
        };
        if (!isClosing) {
          deadline = clock.setTimeout(() => end(UNANSWERED), PATIENCE_MS);
          deadlines.add(deadline);
        }
        exporter.export(spans, end);
      },
      shutdown: () => exporter.shutdown(),
    },
    // A variable that says 0 would have the end of the service wait for ever.
    { maxQueueSize: MOST_WAITING, maxExportBatchSize: AT_ONCE },
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
      if (lost === null) logger.warn({ to, error: TOO_MANY }, 'cannot export traces');
      lost = (lost ?? 0) + 1;
    },
    forceFlush: () => batches.forceFlush(),
    async shutdown() {
      isClosing = true;
      for (const deadline of deadlines) giveUp(deadline);
      await batches.shutdown();
    },
  };
}

const UNANSWERED: ExportResult = {
  code: ExportResultCode.FAILED,
  error: new Error('It does not answer.'),
};
const TOO_MANY = 'It accepts traces more slowly than they are produced.';

// What a collector answers is its own; the number says what is wrong.
function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'number' ? `It answered with status ${code}.` : messageOf(error);
}
