import type { Clock, TimerHandle } from '@svc/core';
import pg from 'pg';
import type { HeardSignal, OpenSignals, Signal } from '../cluster/signals.ts';
import { driverAddress } from './server-address.ts';
import { createSockets, type Sockets } from './server-sockets.ts';

const CHANNEL = 'svc_signals';
// PostgreSQL accepts a payload of just under 8000 bytes.
const MOST_BYTES = 7500;
const MOST_OF_ONE = 1024;
/** Signals sent within this time are combined. */
const JOIN_MS = 10;
/** Interval of checks of a silent connection, and the time limit of each. */
const TRY_MS = 5000;
const ANSWER_MS = 5000;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;

/**
 * Signals over a separate connection to a PostgreSQL server, which reconnects whenever it breaks.
 *
 * @param sender identifies signals of this process
 */
export function openServerSignals(url: string, clock: Clock, sender: string): OpenSignals {
  return new ServerSignals(url, clock, sender);
}

const MISSED = { kind: 'signals.missed' };

interface MessageBatch {
  readonly from: string;
  readonly signals: readonly Signal[];
}

class ServerSignals implements OpenSignals {
  private readonly url: string;
  private readonly clock: Clock;
  private readonly sender: string;
  private readonly sockets: Sockets;
  private readonly followers = new Set<(heard: HeardSignal) => void>();
  private waiting: Signal[] = [];
  private client: pg.Client | null = null;
  private sending: TimerHandle | null = null;
  private timer: TimerHandle | null = null;
  private retryMs = FIRST_RETRY_MS;
  private isOpen = true;
  /** Whether other servers have missed some of the signals. */
  private hasDropped = false;
  private line: Promise<unknown> = Promise.resolve();
  private connecting: Promise<void>;

  constructor(url: string, clock: Clock, sender: string) {
    this.url = driverAddress(url);
    this.clock = clock;
    this.sender = sender;
    this.sockets = createSockets(clock);
    this.connecting = this.connect();
  }

  send(signal: Signal): void {
    if (!this.isOpen || isTooLong(signal)) return;
    if (this.client === null) {
      this.hasDropped = true;
      return;
    }
    this.waiting.push(signal);
    this.sending ??= this.clock.setTimeout(() => {
      this.sending = null;
      this.flush();
    }, JOIN_MS);
  }

  subscribe(on: (heard: HeardSignal) => void): () => void {
    this.followers.add(on);
    return () => void this.followers.delete(on);
  }

  async close(): Promise<void> {
    this.flush();
    this.isOpen = false;
    if (this.sending !== null) this.clock.clearTimeout(this.sending);
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    await this.sockets.close(async () => {
      await this.connecting;
      await this.line;
      const { client } = this;
      this.client = null;
      await client?.end();
    });
  }

  private flush(): void {
    const { client } = this;
    const signals = this.waiting;
    this.waiting = [];
    for (const batch of batchesOf(this.sender, signals)) {
      if (client !== null) this.ask(client, 'select pg_notify($1, $2)', [CHANNEL, batch]);
    }
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      application_name: 'svc signals',
      stream: () => this.sockets.create(),
    });
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    try {
      await client.connect();
      // Signals do not outlive the server, so their commits need not wait for the disk.
      await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
    } catch {
      client.end().catch(() => {});
      this.again();
      return;
    }
    this.client = client;
    this.retryMs = FIRST_RETRY_MS;
    this.tell('missed');
    if (this.hasDropped) {
      this.hasDropped = false;
      this.send(MISSED);
    }
    this.tryLater();
  }

  // A connection that was cut silently looks like an idle one.
  private tryLater(): void {
    if (!this.isOpen) return;
    this.timer = this.clock.setTimeout(() => {
      const { client } = this;
      if (client === null) return;
      this.ask(client, 'select 1', []);
      this.tryLater();
    }, TRY_MS);
  }

  // Statements run one after the other; a connection that does not respond is given up.
  private ask(client: pg.Client, text: string, values: readonly string[]): void {
    this.line = this.line
      .then(() => client.query(text, [...values]))
      .catch(() => this.lose(client));
  }

  private lose(client: pg.Client | null): void {
    if (client === null || this.client !== client) return;
    this.client = null;
    // Signals in transit may or may not have arrived.
    this.hasDropped = true;
    this.waiting = [];
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    client.end().catch(() => {});
    this.again();
  }

  private again(): void {
    if (!this.isOpen) return;
    const ms = this.retryMs;
    this.retryMs = Math.min(2 * ms, LAST_RETRY_MS);
    this.timer = this.clock.setTimeout(() => {
      this.connecting = this.connect();
    }, ms);
  }

  private hear(payload: string): void {
    const batch = batchOf(payload);
    if (batch === null || batch.from === this.sender) return;
    for (const signal of batch.signals)
      this.tell(signal['kind'] === MISSED.kind ? 'missed' : signal);
  }

  private tell(heard: HeardSignal): void {
    for (const follower of this.followers) follower(heard);
  }
}

function* batchesOf(from: string, signals: readonly Signal[]): Iterable<string> {
  let rest = signals;
  while (rest.length > 0) {
    let count = rest.length;
    let text = JSON.stringify({ from, signals: rest });
    while (Buffer.byteLength(text) > MOST_BYTES && count > 1) {
      count = Math.floor(count / 2);
      text = JSON.stringify({ from, signals: rest.slice(0, count) });
    }
    yield text;
    rest = rest.slice(count);
  }
}

function isTooLong(signal: Signal): boolean {
  return Buffer.byteLength(JSON.stringify(signal)) > MOST_OF_ONE;
}

function isSignal(candidate: unknown): candidate is Signal {
  if (typeof candidate !== 'object' || candidate === null) return false;
  return Object.values(candidate).every((value) => value === null || typeof value === 'string');
}

// Any user of the database can send any payload.
function batchOf(payload: string): MessageBatch | null {
  try {
    const { from, signals } = JSON.parse(payload) as MessageBatch;
    return Array.isArray(signals) && signals.every(isSignal) ? { from, signals } : null;
  } catch {
    return null;
  }
}
