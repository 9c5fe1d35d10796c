import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  BatchSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { type Clock, type Logger, messageOf, shownOrigin, type TimerHandle } from '@svc/core';
import type { SpanResult } from './span.ts';

// Includes spans that are being exported, so that an unresponsive collector limits the memory use.
const MAX_PENDING = 2048;
// The exporter only limits silence: a collector that answers byte by byte would never time out.
const EXPORT_TIMEOUT_MS = 30_000;
const BATCH_SIZE = 512;

/**
 * Creates a processor that exports spans in batches in the background. If more than 2,048 are pending, further ones are
 * dropped. Logs when export starts to fail, and when it works again.
 */
export function createSpanProcessor(
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
  // `shutdown` is limited by its caller, so exports have no deadline of their own then.
  let isClosing = false;
  const to = shownOrigin(url);
  let pending = 0;
  let lost: number | null = null;
  const record = (count: number, { code, error }: ExportResult): void => {
    pending -= count;
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
          record(spans.length, result);
          done(result);
        };
        if (!isClosing) {
          deadline = clock.setTimeout(() => end(UNANSWERED), EXPORT_TIMEOUT_MS);
          deadlines.add(deadline);
        }
        exporter.export(spans, end);
      },
      shutdown: () => exporter.shutdown(),
    },
    // Set explicitly, because the environment variables could set 0, which would block the shutdown forever.
    { maxQueueSize: MAX_PENDING, maxExportBatchSize: BATCH_SIZE },
  );
  return {
    onStart() {},
    onEnd(span) {
      if (pending < MAX_PENDING) {
        pending += 1;
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

// The response of a collector may be arbitrary text, so only its status is logged.
function wordsOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'number' ? `It answered with status ${code}.` : messageOf(error);
}
