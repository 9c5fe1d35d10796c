import { describe, expect, it } from '@jest/globals';
import { newId } from '@svc/core';
import { createFakeClock, createMemoryLogger } from '@svc/core/testing';
import { spanIdOf, traceIdOf } from '../src/span.ts';
import { createSpanSink, type SpanSinkOptions } from '../src/span-sink.ts';

const OPTIONS: SpanSinkOptions = {
  ...{ url: 'http://127.0.0.1:4318/v1/traces', headers: {}, ratio: 1, serviceName: null },
  ...{ resource: {}, version: '1.0.0', instance: 'node' },
};
const RUN = '01a0b1c2-d3e4-7f50-8a1b-2c3d4e5f6071';

type Exporter = NonNullable<Parameters<typeof createSpanSink>[2]>;

function sinkWith(exporter: Partial<Exporter>, options: Partial<SpanSinkOptions> = {}) {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const counts: Record<string, number> = {};
  const onSpans = (result: string, count: number): void => {
    counts[result] = (counts[result] ?? 0) + count;
  };
  const sink = createSpanSink(
    { clock, logger, onSpans },
    { ...OPTIONS, ...options },
    { export() {}, shutdown: async () => {}, ...exporter },
  );
  const write = (n: number, id: string = RUN) =>
    sink.write({
      ...{ traceId: traceIdOf(id), id: spanIdOf(id), parent: null, name: `n${n}` },
      ...{ kind: 'internal', begin: 1000, end: 2000, attributes: { a: 1, b: null }, error: null },
    });
  return { clock, logger, counts, sink, write };
}

/** A collector that answers on request, so that no timer is left behind. */
function hanging() {
  const waiting: (() => void)[] = [];
  let hangs = true;
  const exporter: Partial<Exporter> = {
    export(_, done) {
      if (hangs) waiting.push(() => done({ code: 0 }));
      else done({ code: 0 });
    },
  };
  const answerAll = (): void => {
    hangs = false;
    for (const answer of waiting) answer();
  };
  return { exporter, answerAll };
}

describe('pending spans for a collector', () => {
  // proves: traces.harmless
  it('are limited to 2,048 when it does not respond, and further ones are dropped', () => {
    const { exporter, answerAll } = hanging();
    const { counts, write } = sinkWith(exporter);
    for (let n = 0; n < 5000; n += 1) write(n);
    expect(counts).toEqual({ dropped: 5000 - 2048 });
    answerAll();
  });

  // proves: traces.harmless
  it('are dropped when a collector never finishes its answer, and later ones are sent', async () => {
    const late: (() => void)[] = [];
    let isSlow = true;
    const { clock, logger, counts, sink, write } = sinkWith({
      export(_, done) {
        if (isSlow) late.push(() => done({ code: 0 }));
        else done({ code: 0 });
      },
    });
    for (let n = 0; n < 3000; n += 1) write(n);
    expect(late.length).toBeGreaterThan(0);
    isSlow = false;
    await clock.advance(30_000);
    // Its late answer has no effect.
    for (const answer of late) answer();
    write(1);
    await sink.close();
    expect(counts['dropped']).toBe(3000 - 2048);
    expect(counts['failed']).toBeGreaterThanOrEqual(512);
    expect((counts['failed'] ?? 0) + (counts['sent'] ?? 0)).toBe(2048 + 1);
    const lines = logger.lines.filter(({ level }) => level !== 'debug');
    expect(lines.map(({ message }) => message)).toEqual([
      'cannot export traces',
      'exporting traces again',
    ]);
    expect(clock.pending).toBe(0);
  });

  // proves: traces.flush
  it('are dropped three seconds after the end of the service', async () => {
    const { exporter, answerAll } = hanging();
    const { clock, sink, write } = sinkWith(exporter);
    write(1);
    let isClosed = false;
    const closing = sink.close().then(() => {
      isClosed = true;
    });
    await clock.advance(2900);
    expect(isClosed).toBe(false);
    await clock.advance(200);
    await closing;
    expect(clock.pending).toBe(0);
    answerAll();
  });

  // proves: traces.harmless
  it('that cannot be sent are logged once, and again after a success', async () => {
    let code = 1;
    const { logger, sink, write, counts } = sinkWith({
      export: (_, done) => done({ code, error: new Error('connect ECONNREFUSED') }),
    });
    for (let n = 0; n < 512 * 3; n += 1) write(n);
    code = 0;
    write(1);
    await sink.close();
    const lines = logger.lines.filter(({ level }) => level !== 'debug');
    expect(lines.map(({ message }) => message)).toEqual([
      'cannot export traces',
      'exporting traces again',
    ]);
    expect(counts).toEqual({ failed: expect.any(Number), sent: expect.any(Number) });
    expect((counts['failed'] ?? 0) + (counts['sent'] ?? 0)).toBe(512 * 3 + 1);
  });

  // proves: traces.id
  it('are sampled by trace id alone', () => {
    const ids = Array.from({ length: 2000 }, () => traceIdOf(newId()));
    const chosen = () => {
      const { sink } = sinkWith({}, { ratio: 0.5 });
      return ids.filter(sink.isSampled);
    };
    expect(chosen()).toEqual(chosen());
    expect(chosen().length).toBeGreaterThan(800);
    expect(chosen().length).toBeLessThan(1200);
  });
});
