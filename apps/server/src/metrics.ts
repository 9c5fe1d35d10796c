import type { Ops, RunObserver } from '@svc/ops';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The figures of one instance, as Prometheus reads them. */
export interface Metrics {
  readonly observer: RunObserver;
  /** Reads the load from here on. */
  watch(ops: Pick<Ops, 'load'>): void;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

const LATENESS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300, 3600];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const lateness = new Histogram({
    name: 'svc_slot_lateness_seconds',
    help: 'Seconds from a slot to its committed claim.',
    buckets: LATENESS_SECONDS,
    registers,
  });
  const ended = new Counter({
    name: 'svc_runs_ended_total',
    help: 'Runs that have ended, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    observer: {
      claimed: ({ lateMs }) => lateness.observe(lateMs / 1000),
      ended: (outcome) => ended.inc({ outcome }),
    },
    watch(ops) {
      const gauge = (name: string, help: string, read: () => number): void => {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      };
      gauge('svc_armed_triggers', 'Recurrences that are armed.', () => ops.load().armed);
      gauge('svc_running_turns', 'Turns that are running.', () => ops.load().running);
      gauge('svc_queued_turns', 'Turns that wait for a place.', () => ops.load().queued);
    },
    async text() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
