import type { Clock, TimerHandle } from '@svc/core';
import type { RunObserver } from '@svc/engine';
import { ATTENTION_KINDS, type AttentionKind, type Ops } from '@svc/ops';
import type { RunOutcome } from '@svc/records';
import type { SpanResult } from '@svc/tracing';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The Prometheus metrics of one instance. */
export interface Metrics {
  readonly observer: RunObserver;
  /** Starts to read the load of these operations. */
  watch(ops: Pick<Ops, 'load' | 'leads' | 'isPaused' | 'databaseBytes' | 'attention'>): void;
  /** Counts an attempt to deliver an alert. */
  alertTried(sink: string, result: string): void;
  /** Counts exported or dropped spans. */
  spans(result: SpanResult, count: number): void;
  /** Starts to read the number of pending alerts. */
  watchAlerts(waiting: () => Promise<number>): void;
  /** Starts to read the readiness. */
  watchReady(isReady: () => Promise<boolean>): void;
  /** Starts to read the number of open connections. */
  watchConnections(open: () => number): void;
  /** Counts a connection that was closed without a response. */
  connectionClosed(reason: string): void;
  /** Counts a rejected sign-in. */
  signInRefused(reason: string): void;
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

const LATENESS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300, 3600];

const MAX_SERIES = 1000;
const MAX_PROJECTS = 200;

interface RunLabels {
  readonly outcome: RunOutcome;
  readonly project: string;
  readonly trigger: string;
}

// Prometheus keeps every series, and trigger names change, so the number of series is limited.
function boundedSeries(): (run: RunLabels) => Record<string, string> {
  const known = new Set<string>();
  return ({ outcome, project, trigger }) => {
    const key = `${outcome}/${project}/${trigger}`;
    if (!known.has(key) && known.size >= MAX_SERIES) {
      return { outcome, project: 'other', trigger: 'other' };
    }
    known.add(key);
    return { outcome, project, trigger };
  };
}

function boundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (!known.has(name) && known.size >= most) return 'other';
    known.add(name);
    return name;
  };
}

// The default of 10 ms would wake an idle service 100 times a second.
const LAG_EVERY_MS = 250;

export function createMetrics(clock: Clock): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS });
  const lateness = slotLateness(registry);
  const ended = new Counter({
    name: 'svc_runs_ended_total',
    help: `Ended runs by outcome, project and trigger; "other" after ${MAX_SERIES} series.`,
    labelNames: ['outcome', 'project', 'trigger'],
    registers,
  });
  const series = boundedSeries();
  const closed = new Counter({
    name: 'svc_http_connections_closed_total',
    help: 'Connections rejected by a limit, by reason: total, address, requests.',
    labelNames: ['reason'],
    registers,
  });
  const refused = refusedSignIns(registry);
  const spans = new Counter({
    name: 'svc_trace_spans_total',
    help: 'Trace spans by result: sent, failed (rejected by the collector), dropped (buffer full).',
    labelNames: ['result'],
    registers,
  });
  const pruned = prunedRuns(registry);
  const gauge = gaugesOf(registry, clock);
  return {
    observer: {
      claimed: ({ lateMs }) => lateness.observe(lateMs / 1000),
      ended: (run) => ended.inc(series(run)),
      pruned: ({ runs }) => pruned.inc(runs),
      used: turnUse(registry),
    },
    watch(ops) {
      registerLoad(gauge, ops);
      registerAttention(registry, clock, ops);
    },
    ...registerAlerts(registry, gauge),
    watchReady(isReady) {
      const help = '1 if the server is ready (GET /readyz), otherwise 0.';
      gauge('svc_ready', help, async () => ((await isReady()) ? 1 : 0));
    },
    watchConnections(open) {
      gauge('svc_http_connections', 'Open connections.', open);
    },
    spans: (result, count) => spans.inc({ result }, count),
    connectionClosed: (reason) => closed.inc({ reason }),
    signInRefused: (reason) => refused.inc({ reason }),
    async text() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

function registerLoad(
  gauge: ReturnType<typeof gaugesOf>,
  ops: Parameters<Metrics['watch']>[0],
): void {
  const { load } = ops;
  gauge('svc_armed_triggers', 'Armed triggers and schedules.', () => load().armed);
  const invalid = 'Invalid entries in project.yaml; an unreadable file counts as one.';
  gauge('svc_invalid_triggers', invalid, () => load().invalid);
  gauge('svc_running_turns', 'Running turns.', () => load().running);
  gauge('svc_paused', '1 if all triggers are paused, otherwise 0.', async () =>
    (await ops.isPaused()) ? 1 : 0,
  );
  gauge('svc_queued_turns', 'Queued turns.', () => load().queued);
  gauge('svc_projects', 'Projects owned by this server.', () => load().projects);
  const servers = 'Servers known to this one.';
  gauge('svc_nodes', servers, () => load().nodes);
  const leads = '1 on the leader, otherwise 0.';
  gauge('svc_node_leads', leads, () => (ops.leads() ? 1 : 0));
  gauge('svc_database_bytes', 'Size of the database in bytes.', () => ops.databaseBytes());
}

/** Reports every kind each time, so that a fixed problem reads 0. */
function registerAttention(registry: Registry, clock: Clock, ops: Pick<Ops, 'attention'>): void {
  const name = 'svc_attention';
  registry.removeSingleMetric(name);
  const count = async (): Promise<ReadonlyMap<AttentionKind, number>> => {
    const counts = new Map<AttentionKind, number>(ATTENTION_KINDS.map((kind) => [kind, 0]));
    for (const { kind } of await ops.attention()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  };
  const countInTime = withTimeout(clock, count, new Map());
  new Gauge({
    name,
    help: 'Triggers and files that need attention, by kind; one can have several kinds.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const counts = await countInTime();
      for (const kind of ATTENTION_KINDS) this.set({ kind }, counts.get(kind) ?? Number.NaN);
    },
  });
}

function slotLateness(registry: Registry): Histogram {
  return new Histogram({
    name: 'svc_slot_lateness_seconds',
    help: 'Seconds from the scheduled time of a slot to its committed claim.',
    buckets: LATENESS_SECONDS,
    registers: [registry],
  });
}

function refusedSignIns(registry: Registry): Counter<'reason'> {
  return new Counter({
    name: 'svc_sign_ins_refused_total',
    help: 'Rejected sign-ins, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
}

/** Counts the usage of turns. */
function turnUse(registry: Registry): NonNullable<RunObserver['used']> {
  const registers = [registry];
  const tokens = new Counter({
    name: 'svc_tokens_total',
    help: 'Tokens reported by turns, by direction (in, out).',
    labelNames: ['direction'],
    registers,
  });
  const cost = new Counter({
    name: 'svc_cost_usd_total',
    help: `Estimated cost of turns in US dollars, by project; "other" after ${MAX_PROJECTS} projects.`,
    labelNames: ['project'],
    registers,
  });
  const toolErrors = failedToolCalls(registry);
  const connections = turnConnections(registry);
  const projects = boundedNames(MAX_PROJECTS);
  return ({
    project,
    tokensIn,
    tokensOut,
    costMicrousd,
    toolErrors: failed,
    connections: made,
  }) => {
    if (tokensIn !== null) tokens.inc({ direction: 'in' }, tokensIn);
    if (tokensOut !== null) tokens.inc({ direction: 'out' }, tokensOut);
    if (costMicrousd !== null) cost.inc({ project: projects(project) }, costMicrousd / 1e6);
    if (failed !== null && failed > 0) toolErrors.inc({ project: projects(project) }, failed);
    if (made !== null) {
      connections.inc({ result: 'reached' }, made.reached);
      connections.inc({ result: 'refused' }, made.refused);
    }
  };
}

function failedToolCalls(registry: Registry): Counter<'project'> {
  return new Counter({
    name: 'svc_tool_errors_total',
    help: `Failed tool calls, by project; "other" after ${MAX_PROJECTS} projects.`,
    labelNames: ['project'],
    registers: [registry],
  });
}

function turnConnections(registry: Registry): Counter<'result'> {
  const connections = new Counter({
    name: 'svc_turn_connections_total',
    help: 'Connections of sandboxed processes of turns, by result: reached, refused.',
    labelNames: ['result'],
    registers: [registry],
  });
  // Queries for an increase need a first value.
  for (const result of ['reached', 'refused']) connections.inc({ result }, 0);
  return connections;
}

function prunedRuns(registry: Registry): Counter {
  return new Counter({
    name: 'svc_pruned_runs_total',
    help: 'Runs removed by retention.',
    registers: [registry],
  });
}

function registerAlerts(
  registry: Registry,
  gauge: ReturnType<typeof gaugesOf>,
): Pick<Metrics, 'alertTried' | 'watchAlerts'> {
  const tried = new Counter({
    name: 'svc_alerts_total',
    help: 'Alert delivery attempts by sink and result: delivered, failed (retried), given_up.',
    labelNames: ['sink', 'result'],
    registers: [registry],
  });
  return {
    alertTried: (sink, result) => tried.inc({ sink, result }),
    watchAlerts: (waiting) => gauge('svc_alerts_waiting', 'Pending alerts.', waiting),
  };
}

function gaugesOf(registry: Registry, clock: Clock) {
  return (name: string, help: string, read: () => number | Promise<number>): void => {
    // A second registration with the same name replaces the first.
    registry.removeSingleMetric(name);
    const readInTime = withTimeout(clock, read, Number.NaN);
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await readInTime());
      },
    });
  };
}

const READ_TIMEOUT_MS = 250;

// A scrape must not wait for a slow database: it gets the last known value. A metric that cannot be read must not hide the
// others.
function withTimeout<T>(clock: Clock, read: () => T | Promise<T>, unknown: T): () => Promise<T> {
  let last = unknown;
  let reading: Promise<T> | null = null;
  const readOnce = async (): Promise<T> => {
    try {
      last = await read();
    } catch {
      last = unknown;
    }
    reading = null;
    return last;
  };
  return async () => {
    reading ??= readOnce();
    let timer: TimerHandle | null = null;
    const late = new Promise<T>((resolve) => {
      timer = clock.setTimeout(() => resolve(last), READ_TIMEOUT_MS);
    });
    return Promise.race([reading, late]).finally(() => {
      if (timer !== null) clock.clearTimeout(timer);
    });
  };
}
